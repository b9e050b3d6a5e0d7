/**
 * First the functional ones: joiners inside an emoji, between Arabic letters and after Indic signs; selectors after an
 * emoji or a Han character. Then the hidden ones: default-ignorable characters, line separators, an empty braille
 * pattern, annotations.
 */
const workingOrHidden =
  /((?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{M}])[\u200c\u200d](?=\p{L})|(?<=\p{Emoji})[\ufe0e\ufe0f]|(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}])|[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/**
 * Replaces characters that reverse or hide text, break its lines or are invisible. Joiners and selectors that have a
 * function stay, and so do control characters.
 */
export const replaceHiddenCharacters = (text: string, replacement: (hidden: string) => string): string =>
  text.replaceAll(workingOrHidden, (found: string, working: string | undefined) => working ?? replacement(found));

/** Replaces them by their names, such as `[U+200B]`, where a reader has to know which they are. */
export const nameHiddenCharacters = (text: string): string =>
  replaceHiddenCharacters(text, (hidden) => `[U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase()}]`);
