/** Number words in English and Chinese. */

/** By their values. */
export const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
/** Starts at `third`, 3, because `first` and `second` have many other meanings. */
export const ordinals = 'third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
/** From `twenty`. */
export const round = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** Chinese numerals. */
export const han = '零〇一二两三四五六七八九十百千万亿';
/** A number in digits or Chinese numerals. */
export const hanOrDigits = String.raw`(?:\d+(?:\.\d+)?[十百千万亿]*|[${han}]+)`;

const numberNames: ReadonlyMap<string, number> = new Map([
  ...small.map((name, value): [string, number] => [name, value]),
  ...ordinals.map((name, before): [string, number] => [name, before + 3]),
  ['a', 1],
  ['an', 1],
  ['couple', 2],
  ['half a dozen', 6],
  ['dozen', 12],
]);

/** Returns the number of a word, or null. */
export const lookUpEnglishNumber = (word: string): number | null => numberNames.get(word.toLowerCase()) ?? null;

/** Multipliers. */
export const multiples: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['百', 100],
  ['千', 1e3],
  ['万', 1e4],
  ['亿', 1e8],
]);

const hanDigits = '零一二三四五六七八九';

/** Parses a number in Chinese numerals or in digits. */
export function parseHanNumber(text: string): number {
  let total = 0;
  let part = 0;
  let digit: number | null = null;
  for (const token of text.match(/\d+(?:\.\d+)?|\D/g) ?? []) {
    const value = /^\d/.test(token) ? Number(token) : hanDigits.indexOf(token.replace('〇', '零').replace('两', '二'));
    if (value >= 0) {
      digit = value;
      continue;
    }
    const times = token === '十' ? 10 : (multiples.get(token) ?? 1);
    if (times < 1e4) part += (digit ?? 1) * times;
    else {
      total += (part + (digit ?? (part === 0 ? 1 : 0))) * times;
      part = 0;
    }
    digit = null;
  }
  return total + part + (digit ?? 0);
}
