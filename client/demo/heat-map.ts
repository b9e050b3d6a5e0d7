import type { DomainTransition } from '#core/exploration/record.ts';
import { padEndToWidth, padStartToWidth, makePrintableLine, widthOf } from '../command-line/text.ts';

const shades = ['·', '░', '▒', '▓', '█'] as const;
/** Indexes into the 256 terminal colours: grey, then blue to yellow. */
const colours = [238, 25, 37, 142, 226] as const;
const levels = shades.length - 1;

/**
 * Draws the distinct executed transitions from one domain (row) to another (column): shaded cells on a terminal,
 * numbers elsewhere. The letters in the header stand for the domains of the rows.
 */
export function transitionHeatMapLines(
  domains: readonly string[],
  counts: readonly DomainTransition[],
  style: 'shaded' | 'numbers',
): string[] {
  const transitionsBetween = (from: string, to: string): number =>
    counts.find((each) => each.from === from && each.to === to)?.transitions ?? 0;
  const most = Math.max(0, ...counts.map(({ transitions }) => transitions));
  const names = domains.map((domain, place) => `${domainLetter(place)} ${makePrintableLine(domain)}`);
  const labelWidth = Math.max(0, ...names.map(widthOf)) + 1;
  const cellWidth = style === 'shaded' ? 2 : Math.max(2, String(most).length + 1);
  const head =
    padEndToWidth('', labelWidth) + domains.map((_, place) => padStartToWidth(domainLetter(place), cellWidth)).join('');
  const rows = domains.map((from, index) => {
    const cells = domains.map((to) =>
      style === 'shaded'
        ? shadedCell(transitionsBetween(from, to), most)
        : padStartToWidth(String(transitionsBetween(from, to) || '.'), cellWidth),
    );
    return padEndToWidth(names[index] ?? '', labelWidth) + cells.join('');
  });
  return [
    'Different transitions from domain (row) to domain (column):',
    head,
    ...rows,
    ...(style === 'shaded' && most > 0 ? [legendText(most)] : []),
  ];
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

const domainLetter = (place: number): string => alphabet[place] ?? `${place + 1}`;

/** 0 for none; the square root keeps small counts distinct if a few are large. */
export const shadeLevel = (count: number, most: number): number =>
  count === 0 ? 0 : Math.ceil(levels * Math.sqrt(count / most));

function shadedCell(count: number, most: number): string {
  const level = shadeLevel(count, most);
  return colouredText(level, level === 0 ? ` ${shades[0]}` : (shades[level] ?? '').repeat(2));
}

const colouredText = (level: number, text: string): string => `\u001B[38;5;${colours[level] ?? 0}m${text}\u001B[0m`;

function legendText(most: number): string {
  const ranges = Array.from({ length: levels }, (_, index) => {
    const above = Math.floor(most * (index / levels) ** 2) + 1;
    const upTo = Math.floor(most * ((index + 1) / levels) ** 2);
    return { level: index + 1, above, upTo };
  });
  return ranges
    .filter(({ above, upTo }) => above <= upTo)
    .map(
      ({ level, above, upTo }) =>
        `${colouredText(level, (shades[level] ?? '').repeat(2))} ${above === upTo ? above : `${above} to ${upTo}`}`,
    )
    .join('   ');
}
