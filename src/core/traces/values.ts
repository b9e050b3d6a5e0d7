/** Shorter values (a digit, a letter) meet by chance. */
const MIN_CHARS = 2;
/** Leaves of one call's arguments that are looked at, and how deep. */
const MAX_LEAVES = 64;
const MAX_DEPTH = 12;

/**
 * Whether some string or number among a call's arguments stands, as a whole word or number, in one of the earlier texts and
 * not in the request. All texts are lower case; booleans and values of a single character never count.
 */
export const takesValueFrom = (args: unknown, earlier: readonly string[], request: string): boolean =>
  leaves(args).some((value) => {
    const forms = formsOf(value.toLowerCase());
    return (
      !forms.some((form) => occurs(form, request)) && earlier.some((text) => forms.some((form) => occurs(form, text)))
    );
  });

const leaves = (root: unknown): string[] => {
  const found: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (found.length >= MAX_LEAVES || depth > MAX_DEPTH) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value).trim();
      if (text.length >= MIN_CHARS) found.push(text);
    } else if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) visit(item, depth + 1);
  };
  visit(root, 0);
  return found;
};

/** As it is, and as it stands inside JSON text, which is how most results come. */
const formsOf = (value: string): string[] => {
  const escaped = JSON.stringify(value).slice(1, -1);
  return escaped === value ? [value] : [value, escaped];
};

const occurs = (value: string, text: string): boolean => {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (!joins(text, at - 1, value.at(0) ?? '', -1) && !joins(text, at + value.length, value.at(-1) ?? '', 1))
      return true;
  return false;
};

// Scripts without spaces between words have no boundaries to respect.
const WORD = /[\p{L}\p{N}_]/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const DIGIT = /[0-9]/;

const isWord = (char: string): boolean => WORD.test(char) && !UNSPACED.test(char);

/** Whether the character at `at`, next to a value's edge, makes the value only a part of a longer word or number. */
const joins = (text: string, at: number, edge: string, direction: 1 | -1): boolean => {
  const neighbour = text.charAt(at);
  if (neighbour === '' || !isWord(edge)) return false;
  if (isWord(neighbour)) return true;
  // 42 is no part of 42.5, nor of 0.42.
  return neighbour === '.' && DIGIT.test(edge) && DIGIT.test(text.charAt(at + direction));
};
