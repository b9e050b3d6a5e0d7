import { escapeXml } from '#core/values/xml.ts';
import {
  breakIntoEvenLines,
  cutToWidth,
  drawableText,
  isMostlyDrawable,
  widthOfText,
  type Weight,
} from './picture-text.ts';

/** A mean with its interval, as a row of a picture. */
export interface PictureRow {
  readonly name: string;
  /** Before the name, where there is one. */
  readonly rank?: number;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Whether it is the row that the picture is about. */
  readonly isMarked?: boolean;
}

/** The scale that all rows are drawn on. */
interface PictureScale {
  readonly title: string;
  readonly range: readonly [least: number, most: number];
  /** What knowing nothing scores. */
  readonly floor: number | null;
}

/** What a picture of a link says. Its texts may be from outside. */
export interface LinkPicture {
  /** What the link shows, such as `Evaluation`. */
  readonly kind: string;
  readonly title: string;
  /** In place of a title that the font cannot draw. */
  readonly id: string;
  readonly verdict: string;
  /** A sentence without which the verdict would mislead; null where there is none. */
  readonly caveat: string | null;
  /** What the figures rest on. */
  readonly basis: string;
  readonly content:
    | { readonly kind: 'rows'; readonly rows: readonly PictureRow[]; readonly scale: PictureScale }
    | { readonly kind: 'figures'; readonly figures: readonly { readonly value: string; readonly of: string }[] };
}

/** The size that networks and chats show whole. */
export const pictureSize = { width: 1200, height: 630 };

/** How many rows there is room for. */
export const mostRows = 5;

const colours = {
  paper: '#fbfbfa',
  ink: '#17202b',
  faint: '#566273',
  interval: '#1f52b5',
  good: '#116a4b',
  wash: '#eef1f4',
  line: '#dfe3e8',
  warn: '#8a4b00',
} as const;

const left = 72;
const right = pictureSize.width - left;
const width = right - left;

interface TextStyle {
  readonly size: number;
  readonly weight?: Weight;
  readonly fill?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** One line of text; what is drawn is escaped here and nowhere else. */
const textAt = (
  x: number,
  y: number,
  text: string,
  { size, weight = 'regular', fill = colours.ink, anchor = 'start' }: TextStyle,
): string =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight === 'semibold' ? 600 : 400}" fill="${fill}" text-anchor="${anchor}">${escapeXml(text)}</text>`;

const lineAt = (
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  strokeWidth: number,
  more = '',
): string =>
  `<line x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}" stroke="${stroke}" stroke-width="${strokeWidth}"${more}/>`;

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Draws what a link shows as an SVG of `pictureSize`, in the font `Inter`. Texts are made visible, cut and escaped. */
export function drawLinkPicture(picture: LinkPicture): string {
  const title = layTitle(drawableText(isMostlyDrawable(picture.title) ? picture.title : picture.id));
  const verdict = breakIntoEvenLines(drawableText(picture.verdict), { size: 27, weight: 'regular', width }, 2);
  const verdictTop = title.bottom + 54;
  const top = verdictTop + (verdict.length - 1) * 37 + 34;
  const { content } = picture;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureSize.width}" height="${pictureSize.height}" viewBox="0 0 ${pictureSize.width} ${pictureSize.height}" font-family="Inter">`,
    `<rect width="${pictureSize.width}" height="${pictureSize.height}" fill="${colours.paper}"/>`,
    textAt(left, 84, drawableText(picture.kind), { size: 26, weight: 'semibold', fill: colours.faint }),
    mark,
    ...title.lines.map(({ text, y }) => textAt(left, y, text, { size: title.size, weight: 'semibold' })),
    ...verdict.map((text, line) => textAt(left, verdictTop + line * 37, text, { size: 27 })),
    ...(content.kind === 'rows' ? drawRows(content.rows, content.scale, top) : drawFigures(content.figures)),
    ...drawFoot(picture),
    '</svg>',
  ].join('');
}

/** The caveat, and what the figures rest on. */
function drawFoot({ caveat, basis }: LinkPicture): string[] {
  const said = caveat === null ? '' : drawableText(caveat);
  const behind = said === '' ? 0 : widthOfText(said, 20, 'semibold') + 10;
  const fitted = cutToWidth(drawableText(basis), { size: 20, weight: 'regular', width: width - behind });
  return [
    textAt(left, 596, said, { size: 20, weight: 'semibold', fill: colours.warn }),
    textAt(rounded(left + behind), 596, fitted, { size: 20, fill: colours.faint }),
  ];
}

/** Returns what a picture says in words: its caveat, before what may be cut, and its verdict. */
export const sayPicture = ({ verdict, caveat }: LinkPicture): string =>
  caveat === null ? verdict : `${caveat} ${verdict}`;

/** A title that fits on one line is larger; another one has two, and is cut. */
function layTitle(text: string) {
  const large = { size: 62, weight: 'semibold', width } as const;
  if (widthOfText(text, large.size, large.weight) <= width)
    return { size: large.size, lines: [{ text, y: 170 }], bottom: 170 };
  const lines = breakIntoEvenLines(text, { ...large, size: 52 }, 2).map((line, n) => ({ text: line, y: 158 + n * 62 }));
  return { size: 52, lines, bottom: lines.at(-1)?.y ?? 0 };
}

/** The sign of the pages with the name, at the right of the top. */
const mark = [
  `<g transform="translate(${right - 170} 55) scale(1.2)" fill="none">`,
  `<path d="M4 8a16 16 0 0 0 24 0l-4 16a12 12 0 0 1-16 0z" stroke="${colours.good}" stroke-width="3"/>`,
  `<path d="M16 4v20" stroke="${colours.interval}" stroke-width="3"/></g>`,
  textAt(right, 84, 'Sextant', { size: 30, weight: 'semibold', anchor: 'end' }),
].join('');

/** Where the rule with the ticks is, and what is before it in each row. */
const rule = { left: 560, y: 540 };
const nameRight = 430;
const ticks = 10;

/** The rows on one graduated scale, with the first one's interval behind all, and the floor as a dashed line. */
function drawRows(rows: readonly PictureRow[], { title, range, floor }: PictureScale, top: number): string[] {
  const shown = rows.slice(0, mostRows);
  const [least, most] = finiteRange(range, shown);
  const at = (value: number): number =>
    rule.left + ((Math.min(most, Math.max(least, value)) - least) / (most - least)) * (right - rule.left);
  const height = Math.min(84, (rule.y - 16 - top) / Math.max(1, shown.length));
  const start = rule.y - 10 - height * shown.length;
  const [longestRank = ''] = shown
    .map(({ rank }) => (rank === undefined ? '' : String(rank)))
    .toSorted((a, b) => b.length - a.length);
  return [
    ...drawBand(shown[0], at, start - 4),
    ...drawFloor(floor, at, start - 4),
    ...shown.flatMap((row, n) => drawRow(row, at, { top: start + n * height, height, longestRank })),
    lineAt(rule.left, rule.y, right, rule.y, colours.faint, 2),
    ...Array.from({ length: ticks + 1 }, (_, tick) => {
      const x = rule.left + (tick * (right - rule.left)) / ticks;
      return lineAt(x, rule.y - (tick % 5 === 0 ? 10 : 5), x, rule.y, colours.faint, 2);
    }),
    textAt(rule.left, rule.y + 24, tickText(least), { size: 18, fill: colours.faint }),
    textAt(right, rule.y + 24, tickText(most), { size: 18, fill: colours.faint, anchor: 'end' }),
    textAt((rule.left + right) / 2, rule.y + 24, scaleText(title, floor), {
      size: 18,
      fill: colours.faint,
      anchor: 'middle',
    }),
  ];
}

const scaleText = (title: string, floor: number | null): string =>
  `${drawableText(title)}, mean and 95% interval${floor === null ? '' : `; dashed: floor ${floor.toFixed(2)}`}`;

const tickText = (value: number): string => String(rounded(value));

/** The ends of the scale; where it has none, those of the rows. */
function finiteRange([least, most]: PictureScale['range'], rows: readonly PictureRow[]): [number, number] {
  const values = rows.flatMap(({ mean, low, high }) => [mean, low, high]).filter((value) => value !== null);
  const from = Number.isFinite(least) ? least : Math.min(0, ...values);
  const to = Number.isFinite(most) ? most : Math.max(0, ...values);
  return [from, to > from ? to : from + 1];
}

const drawBand = (first: PictureRow | undefined, at: (value: number) => number, top: number): string[] =>
  first === undefined || first.low === null || first.high === null
    ? []
    : [
        `<rect x="${rounded(at(first.low))}" y="${rounded(top)}" width="${rounded(at(first.high) - at(first.low))}" height="${rounded(rule.y - top)}" fill="${colours.wash}"/>`,
      ];

const drawFloor = (floor: number | null, at: (value: number) => number, top: number): string[] =>
  floor === null ? [] : [lineAt(at(floor), top, at(floor), rule.y, colours.warn, 2, ' stroke-dasharray="7 6"')];

interface RowPlace {
  readonly top: number;
  readonly height: number;
  /** Names begin behind it; empty where no row has a rank. */
  readonly longestRank: string;
}

function drawRow(
  { name, rank, mean, low, high, isMarked = false }: PictureRow,
  at: (value: number) => number,
  { top, height, longestRank }: RowPlace,
): string[] {
  const size = Math.min(30, Math.max(18, height * 0.6));
  const middle = top + height / 2;
  const base = rounded(middle + size * 0.36);
  const weight = isMarked ? 'semibold' : 'regular';
  const before = longestRank === '' ? 0 : Math.max(34, widthOfText(longestRank, size, 'regular') + 14);
  const fitted = cutToWidth(drawableText(name), { size, weight, width: nameRight - left - before });
  const barWidth = rounded(Math.min(11, height * 0.22));
  return [
    ...(rank === undefined ? [] : [textAt(left, base, String(rank), { size, fill: colours.faint })]),
    textAt(left + before, base, fitted, { size, weight }),
    textAt(rule.left - 40, base, mean === null ? 'none' : mean.toFixed(2), {
      size,
      weight: mean === null ? 'regular' : 'semibold',
      fill: mean === null ? colours.faint : colours.ink,
      anchor: 'end',
    }),
    ...(low === null || high === null
      ? []
      : [lineAt(at(low), middle, at(high), middle, colours.interval, barWidth, ' stroke-linecap="round"')]),
    ...(mean === null
      ? []
      : [
          `<circle cx="${rounded(at(mean))}" cy="${rounded(middle)}" r="${barWidth}" fill="${colours.good}" stroke="${colours.paper}" stroke-width="2.5"/>`,
        ]),
  ];
}

/** Large figures side by side over an empty rule. */
function drawFigures(figures: readonly { readonly value: string; readonly of: string }[]): string[] {
  const step = width / Math.max(1, figures.length);
  return [
    ...figures.flatMap(({ value, of }, n) => [
      textAt(rounded(left - 4 + n * step), 440, drawableText(value), {
        size: 76,
        weight: 'semibold',
        fill: colours.good,
      }),
      textAt(
        rounded(left + n * step),
        482,
        cutToWidth(drawableText(of), { size: 24, weight: 'regular', width: step - 24 }),
        { size: 24, fill: colours.faint },
      ),
    ]),
    lineAt(left, rule.y, right, rule.y, colours.line, 2),
    ...Array.from({ length: 51 }, (_, tick) => {
      const x = left + (tick * width) / 50;
      return lineAt(x, rule.y - (tick % 5 === 0 ? 10 : 5), x, rule.y, colours.line, 2);
    }),
  ];
}
