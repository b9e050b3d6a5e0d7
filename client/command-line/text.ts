/**
 * Makes text of servers and models safe to print: removes control characters, which could control a terminal, and
 * characters that reverse the text or are invisible.
 */
export function makePrintableLine(text: string): string {
  return text.replaceAll(/[\s\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff00-\uff60]/u;

/** Returns the width of a text on a terminal, in columns. */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += /\p{M}/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
  return width;
}

/** Returns the beginning of a text, up to a width. */
export function cutToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  for (const letter of text) {
    if (widthOf(kept) + widthOf(letter) > columns - 1) break;
    kept += letter;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** Pads a text with spaces to a width. */
export const padEndToWidth = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));
export const padStartToWidth = (text: string, columns: number): string =>
  ' '.repeat(Math.max(0, columns - widthOf(text))) + text;

/** Formats a number for people: `12,345`. */
export const wholeNumberText = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Formats a share of 0..1 as a percentage. */
export const percentText = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** `1 transition`, `2 transitions`. */
export const countWithNoun = (value: number, noun: string): string =>
  `${wholeNumberText(value)} ${noun}${value === 1 ? '' : 's'}`;

/** `42 s`, `3 min 05 s`, `1 h 02 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** Formats the time that is left if the rest takes as long as the share that is done: empty before a tenth is, and at the end. */
export const timeLeftText = (share: number, tookMs: number): string =>
  share < 0.1 || share >= 1 ? '' : `, about ${durationText((tookMs * (1 - share)) / share)} left`;

/** Formats counts by name, the most frequent first, such as `5 reads, 2 writes`; those of 0 are left out. */
export const countsByNameText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
