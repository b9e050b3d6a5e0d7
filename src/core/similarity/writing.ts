import { splitWords } from './text-likeness.ts';

/**
 * How a text is written, which decides how its content is found: in words for Latin letters, in characters for Chinese,
 * in pairs of letters for every other script (Thai, kana, Hangul, Arabic, Cyrillic and so on).
 */
export type Writing = 'latin' | 'han' | 'other';

const nonLatin = /(?!\p{Script=Latin})\p{L}/u;
const han = /\p{Script=Han}/u;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Returns how most of a text is written; a path or a name in Latin letters does not change that. */
export function detectWriting(text: string): Writing {
  const words = splitWords(text);
  const foreign = words.filter((word) => nonLatin.test(word));
  if (foreign.length * 2 <= words.length) return 'latin';
  const isChinese = foreign.filter((word) => han.test(word)).length * 2 > foreign.length && !kana.test(text);
  return isChinese ? 'han' : 'other';
}

/** Returns how two texts are compared: as Latin or Chinese only if both are, or one is Chinese with Latin letters. */
export function chooseComparedWriting(a: string, b: string): Writing {
  const found = new Set([detectWriting(a), detectWriting(b)]);
  return found.has('other') ? 'other' : found.has('han') ? 'han' : 'latin';
}
