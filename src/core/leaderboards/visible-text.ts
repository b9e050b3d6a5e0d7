/**
 * Text from outside as a person is shown it: whatever is no character to be read, or changes how others are, is a mark that can be
 * seen. Control characters are shown as U+2400 and on, those that turn or hide text or show nothing as U+2426, halves of characters as
 * U+FFFD. Joiners and selectors stay where they are at work.
 */
export const visibleText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, controlMark)
    .replaceAll(workingOrHidden, (found: string, working: string | undefined) => working ?? substitute);

const substitute = '\u2426';

/**
 * First what works: joiners inside an emoji, between Arabic letters and behind the signs of Indic ones; selectors behind an emoji or a
 * sign of Han. Then what is hidden: what Unicode has shown by nothing, line separators, an empty braille pattern, annotations.
 */
const workingOrHidden =
  /((?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{M}])[\u200c\u200d](?=\p{L})|(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}])|[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

function controlMark(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : substitute;
}

/** At most so many characters, as they are counted by eye, with an ellipsis for the rest. */
export function cut(text: string, length: number): string {
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);
  const characters = Array.from(segments, ({ segment }) => segment);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
