import { isMarker } from './redaction/marker.ts';

/** Shorter values (a digit, a letter) match by chance. */
const minChars = 2;
/** Maximum number and depth of argument values that are examined. */
const maxLeaves = 64;
const maxDepth = 12;

/**
 * Returns whether a string or number among a call's arguments appears, as a whole word or number, in an earlier text
 * but not in the request. All texts are lower case; booleans, single characters and what was redacted never count.
 */
export const hasEarlierValueNotInRequest = (args: unknown, earlier: readonly string[], request: string): boolean =>
  leafTexts(args).some((value) => {
    if (isMarker(value)) return false;
    const forms = plainAndJsonForms(value.toLowerCase());
    return (
      !forms.some((form) => isWholeWordIn(form, request)) &&
      earlier.some((text) => forms.some((form) => isWholeWordIn(form, text)))
    );
  });

/**
 * Returns whether a string or number in a value appears, as a whole word or number, in one of these texts, in any case. Single
 * characters count, unlike in `hasEarlierValueNotInRequest`, because the caller knows that this value has to come from there.
 */
export const hasValueOfEarlierText = (value: unknown, earlier: readonly string[]): boolean =>
  leafTexts(value, 1).some((leaf) =>
    earlier.some((text) =>
      plainAndJsonForms(leaf.toLowerCase()).some((form) => isWholeWordIn(form, text.toLowerCase())),
    ),
  );

/** Returns whether a value has a string or number that a text could show. */
export const hasTextOrNumber = (value: unknown): boolean => leafTexts(value, 1).length > 0;

const leafTexts = (root: unknown, shortest = minChars): string[] => {
  const found: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (found.length >= maxLeaves || depth > maxDepth) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value).trim();
      if (text.length >= shortest) found.push(text);
    } else if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) visit(item, depth + 1);
  };
  visit(root, 0);
  return found;
};

/** Returns a value as it is, and as it appears inside JSON text, which most results are. */
const plainAndJsonForms = (value: string): string[] => {
  const escaped = JSON.stringify(value).slice(1, -1);
  return escaped === value ? [value] : [value, escaped];
};

const isWholeWordIn = (value: string, text: string): boolean => {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (
      !isWordContinuedAt(text, at - 1, value.at(0) ?? '', -1) &&
      !isWordContinuedAt(text, at + value.length, value.at(-1) ?? '', 1)
    )
      return true;
  return false;
};

// Scripts without spaces between words have no word boundaries.
const wordPattern = /[\p{L}\p{N}_]/u;
const unspacedPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const digitPattern = /[0-9]/;

const isWordCharacter = (char: string): boolean => wordPattern.test(char) && !unspacedPattern.test(char);

/** Returns whether the character at `at`, next to a value's edge, makes the value a part of a longer word or number. */
const isWordContinuedAt = (text: string, at: number, edge: string, direction: 1 | -1): boolean => {
  const neighbour = text.charAt(at);
  if (neighbour === '' || !isWordCharacter(edge)) return false;
  if (isWordCharacter(neighbour)) return true;
  // 42 is not a part of 42.5 or 0.42.
  return neighbour === '.' && digitPattern.test(edge) && digitPattern.test(text.charAt(at + direction));
};
