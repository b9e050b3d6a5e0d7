import type { Dice } from './seeded.ts';

/**
 * Returns a statement with one change, as a writer misremembers: a number, a direction or a name. Null if it has none
 * of these.
 */
export const misstateOrNull = (said: string, dice: Dice): string | null => {
  for (const change of dice.shuffle([changeNumberOrNull, changeDirectionOrNull, changeNameOrNull])) {
    const changed = change(said, dice);
    if (changed !== null && changed !== said) return changed;
  }
  return null;
};

const changeNumberOrNull = (said: string, dice: Dice): string | null =>
  changeOneMatchOrNull(said, /(?<![\w.,/])\d+(?:,\d{3})*(?:\.\d+)?(?![\w/])/gu, dice, (number) => {
    const at = dice.below(number.replace(/\D.*$/u, '').length);
    return `${number.slice(0, at)}${(Number(number.charAt(at)) + 1 + dice.below(8)) % 10 || 1}${number.slice(at + 1)}`;
  });

const opposites: ReadonlyMap<string, string> = new Map(
  ['north south', 'east west', 'northern southern', 'eastern western', 'northeast southeast', 'northwest southwest']
    .concat([
      'northeastern southeastern',
      'northwestern southwestern',
      'largest smallest',
      'British American',
      'wet dry',
    ])
    .flatMap((pair): [string, string][] => {
      const [one = '', other = ''] = pair.split(' ');
      return [
        [one, other],
        [other, one],
      ];
    }),
);

const changeDirectionOrNull = (said: string, dice: Dice): string | null =>
  changeOneMatchOrNull(
    said,
    new RegExp(`\\b(?:${[...opposites.keys()].join('|')})\\b`, 'gu'),
    dice,
    (word) => opposites.get(word) ?? word,
  );

const names = ['Nebraska', 'Portugal', 'Lyon', 'Danube', 'Bristol', 'Ontario', 'Kenya', 'Ravenna'];

const changeNameOrNull = (said: string, dice: Dice): string | null =>
  changeOneMatchOrNull(
    said,
    /(?<!^)\b\p{Lu}[\p{L}]+/gu,
    dice,
    (name) => dice.pick(names.filter((one) => one !== name)) ?? name,
  );

const changeOneMatchOrNull = (
  text: string,
  pattern: RegExp,
  dice: Dice,
  change: (found: string) => string,
): string | null => {
  const found = dice.pick([...text.matchAll(pattern)]);
  if (found === undefined) return null;
  const [word] = found;
  return text.slice(0, found.index) + change(word) + text.slice(found.index + word.length);
};
