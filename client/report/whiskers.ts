import { html } from 'hono/html';
import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import { cutToWidth } from '../command-line/text.ts';
import { printableText, type Html } from './page.ts';

/** A mean with its 95% interval. */
export interface Whisker {
  readonly name: string;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

const [width, left, right, rowHeight, top] = [640, 190, 20, 28, 10] as const;
const mostNameColumns = 22;

/** Draws means with their intervals below each other, on one axis. */
export function whiskerFigure(title: string, [low, high]: readonly [number, number], rows: readonly Whisker[]): Html {
  const at = (value: number): string => (left + ((value - low) / (high - low)) * (width - left - right)).toFixed(1);
  const bottom = top + rows.length * rowHeight;
  const ticks = Array.from({ length: 5 }, (_, place) => low + ((high - low) * place) / 4);
  return html`<svg
    viewBox="0 0 ${width} ${bottom + 26}"
    width="${width}"
    role="img"
    aria-label="${printableText(title)}"
  >
    ${ticks.map((tick) => html`<line class="axis" x1="${at(tick)}" x2="${at(tick)}" y1="${top}" y2="${bottom}" /><text class="tick" x="${at(tick)}" y="${bottom + 18}" text-anchor="middle">${fixedDigitsText(tick)}</text>`)}
    ${rows.map((row, place) => whisker(row, top + (place + 0.5) * rowHeight, at))}
  </svg>`;
}

function whisker({ name, mean, low, high }: Whisker, y: number, at: (value: number) => string): Html {
  const label = html`<text x="${left - 10}" y="${y + 5}" text-anchor="end"
    >${cutToWidth(printableText(name), mostNameColumns)}</text
  >`;
  if (mean === null) return html`${label}<text class="tick" x="${left + 4}" y="${y + 5}">no score</text>`;
  const interval =
    low === null || high === null
      ? ''
      : html`<line class="interval" x1="${at(low)}" x2="${at(high)}" y1="${y}" y2="${y}" />`;
  return html`<g
    ><title>${printableText(name)}: ${fixedDigitsText(mean)}</title>${label}${interval}<circle
      class="mean"
      cx="${at(mean)}"
      cy="${y}"
      r="5"
  /></g>`;
}
