import { placeholders } from './placeholders.ts';

/** Returns a text, marked if it is only the beginning of one; for agents and judges alike. */
export const textWithMarkIfCut = (text: string, isCut: boolean): string =>
  isCut ? `${text}\n${placeholders.cut}` : text;

/**
 * Returns the first characters of a text, never half of a surrogate pair. Copies them, because a slice of a text keeps
 * all of it in memory.
 */
export function firstCharacters(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const last = text.charCodeAt(chars - 1);
  return text
    .slice(0, last >= 0xd800 && last <= 0xdbff ? chars - 1 : chars)
    .split('')
    .join('');
}
