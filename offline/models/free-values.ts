import type { SampleValue } from '../cards/card.ts';
import { samplesOfPattern } from './patterns.ts';
import type { Property } from './schemas.ts';

/** Values that need no knowledge of a server, by a format of JSON Schema. */
const formats: ReadonlyMap<string, readonly string[]> = new Map([
  ['date', ['2030-05-17', '2031-01-09', '2032-11-30', '2033-03-21']],
  ['date-time', ['2030-05-17T08:30:00Z', '2031-01-09T12:00:00Z', '2032-11-30T18:45:00Z', '2033-03-21T06:15:00Z']],
  ['time', ['08:30:00', '12:00:00', '18:45:00', '06:15:00']],
  ['duration', ['PT30M', 'PT1H', 'P1D', 'PT2H']],
  ['uri', ['https://example.org/', 'https://example.com/a', 'https://example.net/b', 'https://example.org/c']],
  ['email', ['info@example.org', 'team@example.com', 'desk@example.net', 'post@example.org']],
  ['hostname', ['example.org', 'example.com', 'example.net', 'www.example.org']],
  ['ipv4', ['192.0.2.10', '198.51.100.7', '203.0.113.25', '192.0.2.44']],
  ['ipv6', ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4']],
  [
    'uuid',
    [
      '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
      '9f0c3a52-7c1e-4f0e-8a3d-2f6b7f5f8c11',
      '4e8a1d27-63b4-4c8b-9a57-0d7c52c3a9fe',
    ],
  ],
]);
const formatNames: ReadonlyMap<string, string> = new Map([
  ['url', 'uri'],
  ['iri', 'uri'],
  ['uri-reference', 'uri'],
  ['idn-email', 'email'],
]);

/** The same by what a name or a description says, in the order in which they are tried. */
const sayings: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\b(?:yyyy-mm-dd|iso ?8601|dates?|deadline|due|birthday)\b/iu, formats.get('date') ?? []],
  [/\bhh:mm\b/iu, ['08:30', '12:00', '18:45', '06:15']],
  [/\b(?:date ?time|time ?stamp)\b|^time(?: [a-z])?$|\b(?:start|end|from|to) time$/iu, formats.get('date-time') ?? []],
  [/\be-?mails?\b/iu, formats.get('email') ?? []],
  [/\b(?:urls?|website|link|endpoint|href)\b/iu, formats.get('uri') ?? []],
  [/\b(?:hostname|domain)\b/iu, formats.get('hostname') ?? []],
  [/\bip(?: address)?\b/iu, formats.get('ipv4') ?? []],
  [/\btime ?zones?\b/iu, ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Africa/Nairobi']],
  [/\blocales?\b/iu, ['en-US', 'de-DE', 'fr-FR', 'es-ES']],
  [/\blanguages?\b/iu, ['en', 'de', 'fr', 'es']],
  [/\bcurrenc(?:y|ies)\b/iu, ['EUR', 'USD', 'GBP', 'CHF']],
  [/\bcountr(?:y|ies)\b/iu, ['Portugal', 'Kenya', 'Japan', 'Canada']],
  [/\b(?:city|cities|locations?|places?|address)\b/iu, ['Lisbon', 'Nairobi', 'Kyoto', 'Toronto']],
  [/\b(?:hex|colou?rs?)\b/iu, ['#3366cc', '#22aa77', '#cc5533', '#8844aa']],
  [/\b(?:sql|statement|select query)\b/iu, ['SELECT 1 AS one', 'SELECT 2 + 3 AS total', 'SELECT 7 AS seven']],
  [/\b(?:regex|regular expression)\b/iu, ['[a-z]+', '[0-9]{2,4}', '[A-Z][a-z]+']],
  [/\b(?:math|formula|expression)\b/iu, ['2 + 3 * 4', '(7 - 2) * 6', '18 / 3 + 1']],
  [/\bmermaid\b/iu, ['graph TD; A-->B', 'graph LR; Start-->Stop', 'graph TD; One-->Two']],
  [/\bsvg\b/iu, ["<svg xmlns='http://www.w3.org/2000/svg'></svg>"]],
  [/\bhtml\b/iu, ['<p>Harbour lights</p>', '<h1>Green valley</h1>', '<ul><li>North bridge</li></ul>']],
  [/\bcss\b/iu, ['p { color: teal; }', 'h1 { margin: 0; }', 'a { color: navy; }']],
  [/\bxml\b/iu, ['<note><to>Ada</to></note>', '<town><name>Lisbon</name></town>', '<list><item>1</item></list>']],
  [/\bjson\b/iu, ["{'town': 'Lisbon'}", '[1, 2, 3]', "{'open': true}"]],
  [/\bcsv\b/iu, ['town,people; Lisbon,545000', 'name,age; Ada,36', 'day,rain; Monday,4']],
  [
    /\b(?:javascript|typescript|script|snippet|source code)\b/iu,
    ['const total = 2 + 3;', 'const town = 1;', 'let sum = 7 * 6;'],
  ],
  [/\btags?|labels?|keywords?\b/iu, ['harbour', 'valley', 'bridge', 'garden']],
];

/** Values for a text without any rule. */
export const freeTexts: readonly string[] = [
  'harbour lights at dusk',
  'a walk through the green valley',
  'repairs on the north bridge',
  'plans for the spring garden',
  'notes from the evening tide',
  'a map of the old orchard',
  'seven lanterns by the lake',
  'first snow on the ridge',
];

/** Returns as many of these texts as make up a length, beginning with one of them. */
const makeTextOfLength = (first: number, least: number): string => {
  const texts = rotateList(freeTexts, first);
  const lengths = texts.map((_, index) => texts.slice(0, index + 1).join(', ').length);
  const enough = lengths.findIndex((length) => length >= least);
  return texts.slice(0, enough < 0 ? texts.length : enough + 1).join(', ');
};

/** Values for the name of something new. */
export const freeNames: readonly string[] = [
  'juniper',
  'meridian',
  'lantern',
  'orchard',
  'saffron',
  'willow',
  'granite',
  'compass',
];

/** Values for the path of a new file. */
export const freePaths: readonly string[] = [
  'notes.txt',
  'report.md',
  'data.csv',
  'plan.txt',
  'summary.md',
  'list.txt',
];

const makeTextLengthTest =
  (property: Property) =>
  (text: string): boolean =>
    text.length >= (property.minLength ?? 0) && text.length <= (property.maxLength ?? Infinity);

/** Returns texts by the format, the pattern or what name and description say; none if these say nothing. */
export const textsByFormatPatternOrName = (words: readonly string[], property: Property): readonly string[] => {
  const { format, pattern, description = '' } = property;
  const byFormat = formats.get(formatNames.get(format ?? '') ?? format ?? '') ?? [];
  if (byFormat.length > 0) return byFormat;
  if (pattern !== undefined) return samplesOfPattern(pattern, 4).filter(makeTextLengthTest(property));
  const named = sayings.find(([saying]) => saying.test(words.join(' ')));
  const described = sayings.find(([saying]) => saying.test(description));
  // A description counts only for what it says of the form: the title of a book about cities is no city.
  const byForm =
    described !== undefined &&
    /yyyy|8601|hh:mm|\bhex\b|\bsql\b|select query|mermaid|javascript|typescript/iu.test(description)
      ? described
      : undefined;
  return ((named ?? byForm)?.[1] ?? []).filter(makeTextLengthTest(property));
};

/** What the names of files end with, by what a description calls them. */
const extensions: readonly (readonly [RegExp, string])[] = [
  [/\b(?:excel|workbook|spreadsheet|xlsx)\b/iu, 'xlsx'],
  [/\bmarkdown\b/iu, 'md'],
  [/\bjson\b/iu, 'json'],
  [/\bcsv\b/iu, 'csv'],
  [/\bhtml\b/iu, 'html'],
  [/\bsvg\b/iu, 'svg'],
  [/\bpdf\b/iu, 'pdf'],
  [/\bpng\b/iu, 'png'],
  [/\byaml\b/iu, 'yaml'],
];

/** Returns paths of new files of the kind, and as absolute ones, as a description asks. */
const listNewPaths = ({ description = '' }: Property): readonly string[] => {
  const demanded = /\bend(?:s|ing)? (?:with|in) ["'`]?\.((?:\w{1,10}\.){0,2}\w{1,10})/iu.exec(description)?.[1];
  const extension = demanded ?? extensions.find(([kind]) => kind.test(description))?.[1];
  const names = freePaths.map((path) => (extension === undefined ? path : path.replace(/\w+$/u, extension)));
  const isAbsolute = /\babsolute\b/iu.test(description) && !/\brelative\b/iu.test(description);
  return isAbsolute ? names.map((name) => `/tmp/${name}`) : names;
};

/** Returns texts for an argument that may be anything: a path, a name or a sentence. */
export const listInventedTexts = (words: readonly string[], property: Property): readonly string[] => {
  const last = words.at(-1) ?? '';
  const isPath = words.some((word) => /^(?:path|file|filename|filepath)$/u.test(word));
  const isName = /^(?:name|id|key|slug|project|folder|directory|category|group|owner|author|user|username)$/u.test(
    last,
  );
  const texts = isPath
    ? listNewPaths(property)
    : isName
      ? freeNames
      : freeTexts.map((_, place) => makeTextOfLength(place, property.minLength ?? 0));
  return texts.filter(makeTextLengthTest(property));
};

/** Returns whether an argument takes a text of anybody's choice, such as a message or a search. */
export const nameAcceptsAnyText = (words: readonly string[]): boolean =>
  words.includes('text') || anyTexts.has(words.at(-1) ?? '');

const anyTexts = new Set(
  (
    'message content contents query search term keyword keywords input string prompt comment body summary reason thought ' +
    'note notes description question answer goal title data observation details subject phrase sentence word value ' +
    'analysis context explanation rationale reasoning insight idea hypothesis conclusion feedback evidence instruction ' +
    'instructions requirements objective purpose background intent problem solution motivation overview criteria learning'
  ).split(' '),
);

/** A text of at least so many characters is prose: no name or id has to be that long. */
const proseChars = 20;

/** Returns whether an argument takes any prose, by its name or by how long it has to be. */
export const acceptsAnyProse = (words: readonly string[], property: Property): boolean =>
  nameAcceptsAnyText(words) || ((property.minLength ?? 0) >= proseChars && property.pattern === undefined);

const named: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^(?:lat|latitude)$/u, [38.72, -1.29, 35.01, 43.65]],
  [/^(?:lon|lng|long|longitude)$/u, [-9.14, 36.82, 135.77, -79.38]],
  [/^year$/u, [2030, 2031, 2032, 2033]],
  [/^month$/u, [5, 1, 11, 3]],
  [/^(?:day|date)$/u, [17, 9, 28, 21]],
  [/^hour$/u, [8, 12, 18, 6]],
  [/^minute$/u, [30, 15, 45, 10]],
];

/** Returns numbers within the bounds of a property. */
export const listNumbersInBounds = (words: readonly string[], property: Property, whole: boolean): number[] => {
  const step = property.multipleOf ?? (whole ? 1 : 0);
  const low =
    property.minimum ??
    (property.exclusiveMinimum === undefined ? undefined : property.exclusiveMinimum + (step || 0.5));
  const high =
    property.maximum ??
    (property.exclusiveMaximum === undefined ? undefined : property.exclusiveMaximum - (step || 0.5));
  const within = (value: number): boolean => value >= (low ?? -Infinity) && value <= (high ?? Infinity);
  const byName = named.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1].filter(within) ?? [];
  if (byName.length > 0) return [...byName];
  const from = low ?? Math.min(1, high ?? 1);
  const offsets = [2, 4, 9, 6, 1, 0];
  const multiple = (value: number): number => (step === 0 ? value : Math.ceil(value / step) * step);
  return [...new Set(offsets.map((offset) => multiple(from + offset * Math.max(1, step))))].filter(within);
};

/** Returns a list with its beginning moved, so that arguments with the same values take different ones. */
export const rotateList = <T extends SampleValue>(values: readonly T[], by: number): T[] =>
  values.length === 0 ? [] : [...values.slice(by % values.length), ...values.slice(0, by % values.length)];
