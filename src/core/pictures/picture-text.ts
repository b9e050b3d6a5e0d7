import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import widths from './inter-widths.json' with { type: 'json' };

/** The weights that pictures are written in. */
export type Weight = 'regular' | 'semibold';

/** The place of each character that the font of pictures has in its lists of widths. */
const places = new Map(Array.from(widths.characters, (character, place) => [character, place]));

/** Stands for what the font lacks. */
const lacking = '·';

const graphemes = (text: string): string[] =>
  Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);

/** Makes outside text fit to be drawn: on one line, with hidden characters visible, and a dot for what the font lacks. */
export const drawableText = (text: string): string =>
  graphemes(showHiddenCharacters(text.replaceAll(/\s+/g, ' ').trim()).normalize('NFC'))
    .map((shown) => (Array.from(shown).every((character) => places.has(character)) ? shown : lacking))
    .join('');

/** Returns whether most of a text can be drawn, so that it says something. */
export function isMostlyDrawable(text: string): boolean {
  const drawn = drawableText(text);
  return drawn !== '' && drawn.length > 2 * drawn.split(lacking).length - 2;
}

/** Returns how wide a drawable text is at a size, without kerning, which makes it narrower. */
export const widthOfText = (text: string, size: number, weight: Weight): number =>
  Array.from(text).reduce((sum, character) => sum + (widths[weight][places.get(character) ?? 0] ?? 0), 0) *
  (size / widths.unitsPerEm);

interface Room {
  readonly size: number;
  readonly weight: Weight;
  readonly width: number;
}

/** Cuts a drawable text to the width that there is, with an ellipsis for the rest. */
export function cutToWidth(text: string, { size, weight, width }: Room): string {
  if (widthOfText(text, size, weight) <= width) return text;
  const characters = Array.from(text);
  let kept = characters.length;
  while (kept > 0 && widthOfText(`${characters.slice(0, kept).join('')}…`, size, weight) > width) kept -= 1;
  return `${characters.slice(0, kept).join('').trimEnd()}…`;
}

/** Breaks a drawable text between words into at most so many lines; the last one is cut. A word that is wider than a line is cut too. */
export function breakIntoLines(text: string, room: Room, most: number): string[] {
  const lines: string[] = [];
  let left = text.split(' ');
  while (left.length > 0 && lines.length < most) {
    const isLast = lines.length === most - 1;
    const count = isLast ? left.length : Math.max(1, countWordsThatFit(left, room));
    lines.push(cutToWidth(left.slice(0, count).join(' '), room));
    left = left.slice(count);
  }
  return lines;
}

/** The same with lines of about the same width, where nothing is cut: no word is left alone on the last line. */
export function breakIntoEvenLines(text: string, room: Room, most: number): string[] {
  let lines = breakIntoLines(text, room, most);
  for (let width = room.width - evenStep; width > 0; width -= evenStep) {
    const narrower = breakIntoLines(text, { ...room, width }, most);
    if (narrower.length > lines.length || narrower.join(' ') !== lines.join(' ')) break;
    lines = narrower;
  }
  return lines;
}

const evenStep = 40;

function countWordsThatFit(words: readonly string[], { size, weight, width }: Room): number {
  let count = 0;
  while (count < words.length && widthOfText(words.slice(0, count + 1).join(' '), size, weight) <= width) count += 1;
  return count;
}
