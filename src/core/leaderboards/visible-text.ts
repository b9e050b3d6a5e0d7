/**
 * Makes outside text visible for people: unreadable characters, and characters that affect how others are shown, become
 * visible marks. Control characters become U+2400 and following, characters that reverse or hide text or are invisible
 * become U+2426, lone surrogates become U+FFFD. Joiners and selectors that have a function stay.
 */
export const showHiddenCharacters = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, markOfControlCharacter)
    .replaceAll(workingOrHidden, (found: string, working: string | undefined) => working ?? substitute);

const substitute = '\u2426';

/**
 * First the functional ones: joiners inside an emoji, between Arabic letters and after Indic signs; selectors after an
 * emoji or a Han character. Then the hidden ones: default-ignorable characters, line separators, an empty braille
 * pattern, annotations.
 */
const workingOrHidden =
  /((?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{M}])[\u200c\u200d](?=\p{L})|(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}])|[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

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
