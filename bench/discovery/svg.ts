import type { BandPoint } from './band.ts';
import { usualShares } from './figures.ts';
import { shareText } from './text.ts';

/** Draws what strategies found by units, as SVG that is readable on light and dark backgrounds. */

const [width, height] = [930, 540] as const;
const plot = { left: 72, right: 750, top: 52, bottom: 476 } as const;

/** Colours that colour-blind readers can distinguish (Okabe & Ito 2008), for light and dark backgrounds. */
const colours = [
  ['#0072b2', '#56b4e9'],
  ['#d55e00', '#ff8b3d'],
  ['#007a5a', '#2fc79a'],
  ['#a8467f', '#e08fc0'],
  ['#8a6d00', '#f0e442'],
  ['#444444', '#cccccc'],
] as const;

const styles = `
svg { background: #ffffff; font: 13px system-ui, sans-serif; }
text { fill: #222222; }
.title { font-size: 16px; font-weight: 600; }
.axis { stroke: #222222; fill: none; }
.level { stroke: #888888; stroke-dasharray: 4 4; }
.line { fill: none; stroke-width: 2; }
.band { fill-opacity: 0.18; }
${colours.map(([light], index) => `.c${index} { stroke: ${light}; } .band.c${index} { fill: ${light}; stroke: none; }`).join('\n')}
@media (prefers-color-scheme: dark) {
svg { background: #15181c; }
text { fill: #e6e6e6; }
.axis { stroke: #e6e6e6; }
${colours.map(([, dark], index) => `.c${index} { stroke: ${dark}; } .band.c${index} { fill: ${dark}; }`).join('\n')}
}`;

/** Draws the median of each strategy with the band between minimum and maximum. */
export function curvesSvg(title: string, bands: ReadonlyMap<string, readonly BandPoint[]>): string {
  const last = Math.max(1, ...[...bands.values()].flatMap((band) => band.map(({ units }) => units)));
  const x = (units: number): string => coordinateText(plot.left + ((plot.right - plot.left) * units) / last);
  const y = (share: number): string => coordinateText(plot.bottom - (plot.bottom - plot.top) * share);
  const path = (points: readonly { readonly units: number; readonly share: number }[]): string =>
    points.map(({ units, share }) => `${x(units)},${y(share)}`).join(' ');
  const drawn = [...bands].map(([, band], at) => {
    const above = band.map(({ units, max }) => ({ units, share: max }));
    const below = band.toReversed().map(({ units, min }) => ({ units, share: min }));
    const middle = band.map(({ units, median }) => ({ units, share: median }));
    return [
      `<polygon class="band ${pickColourClass(at)}" points="${path([...above, ...below])}"/>`,
      `<polyline class="line ${pickColourClass(at)}" points="${path(middle)}"/>`,
    ].join('\n');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeForSvg(title)}">`,
    `<style>${styles}\n</style>`,
    `<text class="title" x="${plot.left}" y="28">${escapeForSvg(title)}</text>`,
    ...usualShares.map(
      (share) => `<line class="level" x1="${plot.left}" x2="${plot.right}" y1="${y(share)}" y2="${y(share)}"/>`,
    ),
    ...drawn,
    `<path class="axis" d="M${plot.left} ${plot.top}V${plot.bottom}H${plot.right}"/>`,
    ...[0, ...usualShares, 1].map(
      (share) => `<text x="${plot.left - 8}" y="${y(share)}" dy="4" text-anchor="end">${shareText(share)}</text>`,
    ),
    ...listTickValuesUpTo(last).map(
      (units) =>
        `<path class="axis" d="M${x(units)} ${plot.bottom}v5"/><text x="${x(units)}" y="${plot.bottom + 20}" text-anchor="middle">${units.toLocaleString('en-US')}</text>`,
    ),
    `<text x="${(plot.left + plot.right) / 2}" y="${height - 16}" text-anchor="middle">units committed, lost ones and probes among them</text>`,
    `<text transform="translate(18 ${(plot.top + plot.bottom) / 2}) rotate(-90)" text-anchor="middle">share of the true transitions found</text>`,
    ...legendSvgLines([...bands.keys()]),
    '</svg>',
    '',
  ].join('\n');
}

function legendSvgLines(names: readonly string[]): string[] {
  const left = plot.right + 20;
  const entries = names.map((name, at) => {
    const top = plot.top + 12 + 24 * at;
    return `<line class="line ${pickColourClass(at)}" x1="${left}" x2="${left + 26}" y1="${top}" y2="${top}"/><text x="${left + 34}" y="${top}" dy="4">${escapeForSvg(name)}</text>`;
  });
  const below = plot.top + 24 * names.length + 22;
  return [
    ...entries,
    `<text x="${left}" y="${below}">line: median</text>`,
    `<text x="${left}" y="${below + 18}">band: least to most</text>`,
  ];
}

/** Round numbers from 0 to the last, at most eight steps. */
function listTickValuesUpTo(last: number): number[] {
  const decade = 10 ** Math.floor(Math.log10(last / 8));
  const step = Math.max(1, decade * ([1, 2, 5, 10].find((by) => decade * by * 8 >= last) ?? 10));
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, n) => n * step);
}

const pickColourClass = (at: number): string => `c${at % colours.length}`;

const coordinateText = (value: number): string => `${Number(value.toFixed(1))}`;

const escapeForSvg = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
