import type { Span } from '#core/values/json-schema/pattern.ts';

/**
 * The built-in patterns. They are ours and of bounded length, so the platform's own engine may match them: none looks further than
 * a few hundred characters from where it begins.
 */
const finders = {
  email: (text: string) =>
    listMatchSpans(text, /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{N}-]{2,63}/gu),
  phone: (text: string) => [
    ...listMatchSpans(text, /(?<![\w+])\+\d(?:[ ()./-]{0,2}\d){6,14}(?!\d)/g),
    ...listMatchSpans(text, /(?<![\w.-])\(\d{2,5}\)[ .-]?\d{2,5}(?:[ .-]?\d{2,5}){1,3}(?![\w-])/g),
    ...listMatchSpans(text, /(?<![\w.-])\d{3}[ .-]\d{3}[ .-]\d{4}(?![\w-])/g),
    ...listMatchSpans(text, /(?<![\w.-])0\d{2,4}[ /-]\d{3,9}(?:[ -]\d{2,6}){0,3}(?![\w-])/g),
  ],
  iban: (text: string) =>
    listMatchSpans(
      text,
      /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/gi,
    ).filter((span) => isValidIban(text.slice(span.start, span.end))),
  'credit-card': (text: string) => listCardNumberSpans(text),
  'bearer-token': (text: string) => [
    ...listMatchSpans(text, /\b(?:Bearer|Basic)\s{1,4}[\w.~+/=-]{8,4096}/gi),
    ...listMatchSpans(text, /\beyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{0,4096}/g),
  ],
  'api-key': (text: string) => [
    ...listMatchSpans(
      text,
      /\b(?:sk|pk|rk)[-_](?:[a-z]{2,10}[-_])?[\w-]{16,256}|\bgh[pousr]_\w{20,256}|\bgithub_pat_\w{20,256}|\bglpat-[\w-]{16,256}|\bxox[a-z]-[\w-]{10,256}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,64}/g,
    ),
    ...listMatchSpans(
      text,
      /\b(?:api[ _-]?key|secret|access[ _-]?token|password)["']?\s{0,4}[:=]\s{0,4}["']?[^\s"',;&]{8,256}/gi,
    ),
  ],
} as const;

type PatternName = keyof typeof finders;

/** The names of the built-in patterns. */
export const patternNames = Object.keys(finders);

export const isPatternName = (text: string): text is PatternName => Object.hasOwn(finders, text);

/** Returns where a built-in pattern matches. */
export const listMatchSpansOfNamedPattern = (name: PatternName, text: string): readonly Span[] => finders[name](text);

const listMatchSpans = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map(({ index, 0: match }) => ({ start: index, end: index + match.length }));

/** Checks the digits of ISO 13616: as a number, with the first four characters last, it is 1 modulo 97. */
function isValidIban(text: string): boolean {
  const plain = text.replaceAll(' ', '').toUpperCase();
  if (plain.length < 15 || plain.length > 34) return false;
  const digits = Array.from(plain.slice(4) + plain.slice(0, 4), (character) => Number.parseInt(character, 36)).join('');
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Runs of digits with single spaces or hyphens between them. */
const digitRuns = /(?<![\d.])\d(?:[ -]?\d){12,79}(?!\d)/g;

/** Returns parts of 13 to 19 digits with a right check digit (Luhn), which begin and end where a group of digits does. */
function listCardNumberSpans(text: string): Span[] {
  return listMatchSpans(text, digitRuns).flatMap(({ start, end }) => {
    const run = text.slice(start, end);
    const offsets = listMatchSpans(run, /\d+/g);
    const groups = offsets.map((group) => run.slice(group.start, group.end));
    for (const [first, from] of offsets.entries()) {
      const to = findLastGroupIndexOfCard(groups, first);
      const last = to === null ? undefined : offsets[to];
      if (last !== undefined) return [{ start: start + from.start, end: start + last.end }];
    }
    return [];
  });
}

/** Returns where the longest card number ends that begins with this group; null if none does. */
function findLastGroupIndexOfCard(groups: readonly string[], first: number): number | null {
  let digits = '';
  let found: number | null = null;
  for (let at = first; at < groups.length; at += 1) {
    digits += groups[at] ?? '';
    if (digits.length > 19) break;
    if (digits.length >= 13 && /^[2-6]/.test(digits) && passesLuhnCheck(digits)) found = at;
  }
  return found;
}

function passesLuhnCheck(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, place = 0; at >= 0; at -= 1, place += 1) {
    const value = (digits.charCodeAt(at) - 48) * (place % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
