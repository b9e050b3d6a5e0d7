import { replaceHiddenCharacters } from '#core/values/hidden-characters.ts';

/**
 * Makes outside text visible for people: unreadable characters, and characters that affect how others are shown, become
 * visible marks. Control characters become U+2400 and following, characters that reverse or hide text or are invisible
 * become U+2426, lone surrogates become U+FFFD. Joiners and selectors that have a function stay.
 */
export const showHiddenCharacters = (text: string): string =>
  replaceHiddenCharacters(text.toWellFormed().replaceAll(/\p{Cc}/gu, markOfControlCharacter), () => substitute);

const substitute = '\u2426';

function markOfControlCharacter(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : substitute;
}

/** Cuts a text after a number of visible characters, with an ellipsis for the rest. */
export function cutVisibleText(text: string, length: number): string {
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);
  const characters = Array.from(segments, ({ segment }) => segment);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
