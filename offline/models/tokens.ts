/** A statement as the critic compares it with a passage: words, numbers and their combinations, in order. */
export interface Token {
  /** A word's stem, or a number in digits after its kind. */
  readonly key: string;
  readonly kind: 'word' | 'number' | 'ordinal' | 'range' | 'fraction';
  /** The number, or the lower bound of a range. */
  readonly value: number;
  readonly below: number;
  /** Whether it begins with a capital, like names. */
  readonly named: boolean;
  /** Whether only a space separates it from the next token. */
  readonly joined: boolean;
}

const units: ReadonlyMap<string, number> = new Map(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen twenty'
  )
    .split(' ')
    .map((word, value): [string, number] => [word, value]),
);
const tens: ReadonlyMap<string, number> = new Map(
  'thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index): [string, number] => [word, 30 + 10 * index]),
);
const cardinals: ReadonlyMap<string, number> = new Map([...units, ...tens]);
const ordinals: ReadonlyMap<string, number> = new Map(
  (
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth ' +
    'sixteenth'
  )
    .split(' ')
    .map((word, index): [string, number] => [word, index + 1]),
);

const regExpSourceOfKeys = (map: ReadonlyMap<string, number>): string => [...map.keys()].join('|');
const numberTextOfWord = (word: string): string =>
  String(cardinals.get(word.toLowerCase()) ?? ordinals.get(word.toLowerCase()) ?? word);

/** Converts spelled numbers to digits, in an order in which the rules do not interfere. */
const spelled: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [/(?<=\d),(?=\d{3}\b)/gu, () => ''],
  [new RegExp(`\\bone (${regExpSourceOfKeys(ordinals)})\\b`, 'giu'), (_, word = '') => `1/${numberTextOfWord(word)}`],
  [new RegExp(`\\b(${regExpSourceOfKeys(cardinals)})\\b`, 'giu'), (_, word = '') => numberTextOfWord(word)],
  [/\b(\d+) and a half\b/gu, (_, whole = '') => `${whole}.5`],
  [/\b(\d+) and 3 quarters?\b/gu, (_, whole = '') => `${whole}.75`],
  [/\b(\d+) and a quarter\b/gu, (_, whole = '') => `${whole}.25`],
  [/\b(\d+(?:\.\d+)?) million\b/gu, (_, count = '') => String(Number(count) * 1e6)],
  [/\b(\d+(?:\.\d+)?) hours? ahead of utc\b/giu, (_, hours = '') => `UTC+${hours}`],
  [/\b(\d+(?:\.\d+)?) hours? behind utc\b/giu, (_, hours = '') => `UTC-${hours}`],
  [/\ba little (?:under|below|less than) (\d+)\b/giu, (_, limit = '') => `${Number(limit) * 0.9}..${limit}`],
  [/\ba little (?:over|above|more than) (\d+)\b/giu, (_, limit = '') => `${limit}..${Number(limit) * 1.1}`],
  [/\bUTC 0\b/gu, () => 'UTC+0'],
  [/\b(?:died|death) in (\d{4})\b/giu, (_, year = '') => `died${year}`],
  [/\bborn in (\d{4})\b/giu, (_, year = '') => `born${year}`],
  [/\((\d{4})-(\d{4})\)/gu, (_, born = '', died = '') => `, born${born} died${died}`],
  [
    new RegExp(`\\b(${regExpSourceOfKeys(ordinals)}) (?=\\p{L}+est\\b)`, 'giu'),
    (_, word = '') => `${numberTextOfWord(word)}th `,
  ],
  [/(?<=\d) ?(?:%|per ?cent\b)/giu, () => ' percent'],
];

const pattern =
  /utc[+-]\d+(?:\.\d+)?|\d+(?:\.\d+)?\.\.\d+(?:\.\d+)?|\d+\/\d+|(?:died|born)\d{4}|\d+(?:st|nd|rd|th)\b|\d+(?:\.\d+)?|\p{L}[\p{L}\p{M}'-]*/giu;

/** Returns the content tokens of a text, without words that mean nothing alone. */
export const tokenizeContentWords = (text: string): Token[] => {
  const plain = spelled.reduce((said, [from, to]) => said.replace(from, to), text.normalize('NFC'));
  const found = [...plain.matchAll(pattern)].map((match) => ({
    word: match[0].toLowerCase(),
    named: /^\p{Lu}/u.test(match[0]),
    end: match.index + match[0].length,
    start: match.index,
  }));
  const telling = found.filter(({ word }) => !fillers.has(word));
  return telling.map(({ word, named, end }, index) => {
    const next = telling[index + 1];
    const between = next === undefined ? '.' : plain.slice(end, next.start);
    return { ...makeToken(word), named, joined: /^[\s\p{L}'-]*$/u.test(between) };
  });
};

const makeToken = (word: string): Omit<Token, 'named' | 'joined'> => {
  const [low = '', high = ''] = word.split('..');
  if (high !== '') return { key: word, kind: 'range', value: Number(low), below: Number(high) };
  const part = /^1\/(\d+)$/u.exec(word)?.[1];
  if (part !== undefined) return { key: word, kind: 'fraction', value: Number(part), below: 0 };
  const place = /^(\d+)(?:st|nd|rd|th)$/u.exec(word)?.[1];
  if (place !== undefined) return { key: `place ${place}`, kind: 'ordinal', value: Number(place), below: 0 };
  if (/^\d/u.test(word)) return { key: `number ${Number(word)}`, kind: 'number', value: Number(word), below: 0 };
  return { key: stemOfWord(word), kind: 'word', value: 0, below: 0 };
};

const fillers = new Set(
  (
    'a an the of to in on at by for from with and or as is are was were be it its this that these those there who which what ' +
    'has have had lies lie just also say says holds hold make makes equal equals equivalent count counts called speak speaks ' +
    'whom after'
  ).split(' '),
);

/** Synonyms for the critic, without ambiguous words. */
const synonyms: ReadonlyMap<string, string> = new Map(
  [
    'population inhabitant people',
    'time clock',
    'square sq',
    'kilometer kilometre km',
    'meter metre',
    'liter litre',
    'mountain peak',
    'navigation sailor',
    'center centre',
  ].flatMap((group) => {
    const [first = '', ...others] = group.split(' ');
    return others.map((other): [string, string] => [other, first]);
  }),
);

/** Returns a stem without the endings of plurals and nationalities: Australian and Australia, ounces and ounce. */
const stemOfWord = (word: string): string => {
  const single = word
    .replace(/'s?$/u, '')
    .replace(/(?<=[^s]{2})s$/u, '')
    .replace(/(?<=[a-z]{3})(?:named|name)$/u, 'name')
    .replace(/^named$/u, 'name')
    .replace(/(?<=\p{L}{4})ia[n]$/u, 'ia');
  return synonyms.get(single) ?? single;
};
