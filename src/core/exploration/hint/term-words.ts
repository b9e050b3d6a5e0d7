import { splitIdentifier } from '#core/catalog/category.ts';

/** The words in terms of tools: one form for all forms of a word, and the kind of value that a word stands for. */

/** Words in descriptions and names that say nothing about a value. */
const empty: ReadonlySet<string> = new Set(
  `a an the this that these those it its of in on at to for from by with without within into onto out off up and or but
  so if then than as is are was were be been being am do does did can could will would shall should may might must have
  has had not no yes any some all each every both either neither other another same such only just also too very when
  where what which who how whether per e.g i.e eg ie etc via using used use uses based given specified specific current
  optional required default defaults must be returned return returns get gets set list lists tool tools server mcp new
  existing single multiple one two more most many provided provide valid supported available string number boolean
  array object integer json value values data result results output outputs input inputs content contents success param
  params parameter parameters argument arguments option options example examples true false null your you
  text query search`.split(/\s+/),
);

/** Synonyms; the first is the normalized form. */
const synonyms = `folder directory dir
repository repo
url uri href
colour color
picture image photo img
chart graph plot
id identifier uuid
timezone tz
path filepath
file filename
email mail
message msg
description desc
place location`;

const oneForm: ReadonlyMap<string, string> = new Map(
  synonyms.split('\n').flatMap((line) => {
    const [first = '', ...others] = line.split(' ');
    return others.map((word): [string, string] => [word, first]);
  }),
);

/** Returns an approximate singular of an English noun, normalized for synonyms. */
export const normalizeTermWord = (word: string): string => {
  const singular = singularOf(word);
  return oneForm.get(singular) ?? singular;
};

const singularOf = (word: string): string => {
  if (word.length < 4 || /(?:ss|us|is|series|species)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.replace(/(?<=ss|x|ch|sh)es$|s$/, '');
};

/** Normalizes the words of a list. */
export const normalizedWordSet = (list: string): ReadonlySet<string> =>
  new Set(list.split(/\s+/).map(normalizeTermWord));

/** Returns the content words of an identifier, in order. */
export const normalizedWordsOfIdentifier = (identifier: string): string[] =>
  splitIdentifier(identifier)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word.length > 1)
    .map(normalizeTermWord);

const maxWords = 40;

/** Returns the content words of a text, in order, at most 40; for Chinese, pairs of characters. */
export const listContentWordsOfText = (text: string): string[] =>
  (text.match(/[A-Za-z][A-Za-z0-9]+|\p{Script=Han}{2,}/gu) ?? [])
    .slice(0, maxWords)
    .flatMap((word) =>
      isLatin.test(word)
        ? isCamel.test(word)
          ? splitIdentifier(word)
          : word.toLowerCase()
        : neighbouringCharacterPairs(word),
    )
    .filter((word) => word.length > 1 && !empty.has(word))
    .map(normalizeTermWord)
    .filter((word) => !empty.has(word));

const isLatin = /^[A-Za-z]/;
const isCamel = /[a-z0-9][A-Z]/;

const neighbouringCharacterPairs = (run: string): string[] => {
  const characters = [...run].slice(0, maxWords);
  return characters.slice(1).map((character, before) => `${characters[before] ?? ''}${character}`);
};

/** Words in tool names that name an action; the others name its object. */
const actionWords = normalizedWordSet(
  `get fetch read show view open load describe query search find lookup match create add make insert init generate draw
  update edit write put move rename append patch mark approve import reset delete remove clear drop clean purge convert
  encode decode parse transform translate export calculate compute compare validate check analyze evaluate send post push
  notify publish run execute call do toggle enable disable start stop trigger simulate recommend suggest resolve
  retrieve browse ask apply save upload download copy sync poll link`,
);

/** Returns whether a word of a tool's name is an action. */
export const isActionWord = (word: string): boolean => actionWords.has(word);

/** Returns whether a word describes a value beyond being one. */
export const isInformativeWord = (word: string): boolean => !empty.has(word);

/** Kinds of values, independent of their meaning. `text` takes anything. */
export type Kind =
  | 'path'
  | 'uri'
  | 'time'
  | 'zone'
  | 'id'
  | 'number'
  | 'picture'
  | 'email'
  | 'colour'
  | 'code'
  | 'rows'
  | 'text';

const wordsOfKinds: readonly (readonly [Kind, string])[] = [
  ['path', 'path file folder cwd root'],
  ['uri', 'url link website homepage endpoint webpage'],
  ['time', 'date time datetime timestamp day deadline since until birthday'],
  ['zone', 'timezone zone'],
  ['id', 'id key sha hash commit ref token handle slug cursor'],
  [
    'number',
    'number count amount total sum average price cost score size length quantity percent rate temperature statistic',
  ],
  ['picture', 'picture svg png icon logo screenshot thumbnail'],
  ['email', 'email'],
  ['colour', 'colour hex'],
  ['code', 'code script expression formula regex pattern sql css html'],
  ['rows', 'row record series point dataset table'],
  [
    'text',
    'text content message body input prompt query question topic title description note comment summary thought markdown observation caption subject answer name label',
  ],
];

const kindsByWord: ReadonlyMap<string, Kind> = new Map(
  wordsOfKinds.flatMap(([kind, words]) => [...normalizedWordSet(words)].map((word): [string, Kind] => [word, kind])),
);

/** Returns the kind of value that a word implies; undefined if none. */
export const valueKindOfWord = (word: string): Kind | undefined => kindsByWord.get(word);

const kindsByFormat: ReadonlyMap<string, Kind> = new Map([
  ['uri', 'uri'],
  ['uri-reference', 'uri'],
  ['url', 'uri'],
  ['iri', 'uri'],
  ['date', 'time'],
  ['date-time', 'time'],
  ['time', 'time'],
  ['uuid', 'id'],
  ['email', 'email'],
  ['idn-email', 'email'],
  ['path', 'path'],
  ['file-path', 'path'],
  ['color', 'colour'],
  ['regex', 'code'],
]);

/** Returns the kind of value that a JSON Schema `format` implies. */
export const valueKindOfFormat = (format: string): Kind | undefined => kindsByFormat.get(format.toLowerCase());

/** Returns whether a kind expresses everything that its word says: `price` says more than being a number. */
export const doesKindSayAll = (kind: Kind | undefined): boolean => kind !== undefined && plain.has(kind);

const plain: ReadonlySet<Kind> = new Set(['path', 'uri', 'time', 'zone', 'email', 'picture', 'colour']);
