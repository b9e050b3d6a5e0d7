import { isSameForeignWord } from './foreign-words.ts';
import { normalizeMeasurementUnit } from './measures.ts';
import { type Quantity, extractQuantitiesAndRest, haveSameRole, mayBeSameQuantity } from './quantities.ts';
import { detectWriting } from './writing.ts';

/**
 * Numbers as other scripts write them: their digits, and number words up to ten where what follows or stands around
 * them shows that they are numbers. One is left out, because it is an article too.
 */

/** The digit 0 of decimal digits that NFKC leaves alone: Arabic, Persian, Devanagari, Bengali, Thai, Lao, Khmer, Burmese. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0x0ed0, 0x17e0, 0x1040];

const toAsciiDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });

/** By language: the forms of 2 to 10, and what has to follow a form. */
interface NumberWords {
  readonly forms: readonly string[];
  readonly before: string;
  readonly after: string;
}

const wordStart = String.raw`(?<![\p{L}\p{M}])`;
const wordEnd = String.raw`(?![\p{L}\p{M}])`;

const languages: readonly NumberWords[] = [
  {
    forms: ['สอง', 'สาม', 'สี่', 'ห้า', 'หก', 'เจ็ด', 'แปด', 'เก้า', 'สิบ'],
    before: '(?<!สิบ|ยี่|ร้อย)',
    after: '(?=ข้อ|คน|ปี|วัน|เดือน|สัปดาห์|ชั่วโมง|นาที|โมง|ทุ่ม|ครั้ง|อัน|ใบ|เล่ม|ตัว|ที่|บาท|ร้าน|รายการ|บรรทัด|ไฟล์|ห้อง)',
  },
  {
    forms: ['두', '세|셋', '네|넷', '다섯', '여섯', '일곱', '여덟', '아홉', '열'],
    before: wordStart,
    after: ' ?(?=개|가지|명|시|번|장|권|대|살|마리|잔|병|분|줄|건|달|곳|군데)',
  },
  {
    forms: ['اثنان|اثنين|اثنتين', 'ثلاثة?', 'أربعة?', 'خمسة?', 'ستة?', 'سبعة?', 'ثماني?ة?', 'تسعة?', 'عشرة?'],
    before: wordStart,
    after: wordEnd,
  },
  {
    forms: ['дв(?:а|е|ух|ум|умя)', 'тр(?:и|[её]х|[её]м|емя)', 'четыр(?:е|[её]х|[её]м|ьмя)'].concat(
      ['пят', 'шест', 'сем', 'вос(?:е|ь)м', 'девят', 'десят'].map((stem) => `${stem}(?:ь|и|ью)`),
    ),
    before: wordStart,
    after: wordEnd,
  },
];

const patterns = languages.flatMap(({ forms, before, after }) =>
  forms.map((form, at) => ({
    pattern: new RegExp(`${before}(?:${form})${after}`, 'giu'),
    number: ` ${at + 2} `,
  })),
);

/** Writes the numbers of other scripts in the digits 0 to 9. */
export const withAsciiNumbers = (text: string): string =>
  patterns.reduce((read, { pattern, number }) => read.replace(pattern, number), toAsciiDigits(text));

/** What a request names. A paraphrase must keep it, however else it is worded. */
export interface Entities {
  /** Values in quotes; paths, addresses, ids and other tokens that are not plain words; names. */
  readonly terms: readonly Term[];
  readonly quantities: readonly Quantity[];
  /** The text without them. */
  readonly rest: string;
}

/** A text with its entities. */
export interface ReadText {
  readonly text: string;
  readonly entities: Entities;
}

interface Term {
  readonly kind: 'quoted' | 'token' | 'name';
  readonly shown: string;
}

/** Returns the entities of a text. */
export function extractEntitiesAndRest(text: string): Entities {
  const terms: Term[] = [];
  let rest = withAsciiNumbers(text.normalize('NFKC')).replace(/[‘’]/g, "'");
  const takeTerms = (kind: Term['kind'], pattern: RegExp): void => {
    rest = rest.replace(pattern, (whole, inner) => {
      terms.push({ kind, shown: (typeof inner === 'string' ? inner : whole).trim() });
      return ' ; ';
    });
  };
  for (const pattern of quotes) takeTerms('quoted', pattern);
  for (const pattern of addresses) takeTerms('token', pattern);
  takeTerms('token', identifiers);
  const { quantities, rest: words } = extractQuantitiesAndRest(rest);
  rest = words;
  takeTerms('token', mixed);
  const names = findNames(rest);
  for (const { shown } of names) rest = rest.replace(shown, ' ');
  return { terms: [...terms, ...names], quantities, rest };
}

/**
 * Returns the first entity in which two texts differ; undefined if they have the same entities. What one text quotes,
 * addresses or writes in digits, both must contain. A name or number in words may be worded differently in the other
 * text (RAM, memory; all three), so it differs only if the other text has another one in its place.
 */
export function findDifferingEntityText(
  { text: a, entities: left }: ReadText,
  { text: b, entities: right }: ReadText,
): string | undefined {
  if (a === b) return undefined;
  const [ownTerms, otherTerms] = [listMissingTerms(left, b), listMissingTerms(right, a)];
  const [own, others] = [listMissingQuantities(left, right), listMissingQuantities(right, left)];
  const found =
    [...ownTerms, ...otherTerms].find(({ kind }) => kind !== 'name') ??
    (otherTerms.length > 0 ? ownTerms[0] : undefined) ??
    [...own, ...others].find(({ shown }) => /\d/.test(shown)) ??
    own.find((each) => others.some((other) => haveSameRole(each, other)));
  return found?.shown;
}

/** The numbers of a list: `1.`, `(2)`, `3)`. */
const listNumbers = /(?<=^|[\s;:])\(?\d{1,2}[.)](?=\s)/gm;

/**
 * Returns the values of a text that another wording of it lost: quantities with digits and what it quotes, as it shows them. Names and ids
 * of tools may go, and so may the numbers of a list. A value in another form is kept: `half an hour` for `30 minutes`.
 */
export function listLostValues(text: string, wording: string): string[] {
  const own = extractEntitiesAndRest(text.replace(listNumbers, ' '));
  const other = extractEntitiesAndRest(wording);
  return [
    ...listMissingTerms(own, wording).filter(({ kind }) => kind === 'quoted'),
    ...listMissingQuantities(own, other).filter(({ shown }) => /\d/.test(shown)),
  ].map(({ shown }) => shown);
}

const quotes = [
  /"([^"]+)"/g,
  /“([^”]+)”/g,
  /「([^」]+)」/g,
  /『([^』]+)』/g,
  /《([^》]+)》/g,
  /«([^»]+)»/g,
  /`([^`]+)`/g,
  /(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu,
];

const addresses = [
  /https?:\/\/[^\s,;)，。；）]*[\w/]/g,
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  /#[0-9a-f]{3,8}\b/gi,
  // 10.0.0.0/22, 1.2.3
  /(?<![\w.])v?\d+(?:\.\d+){2,}(?:\/\d+)?/g,
  // Folders and files: a/b, today.md
  /(?:[\w~*-]+\/|\/)[\w.*/-]*\w|(?<![\w.])\w[\w-]*(?:\.[a-z][a-z0-9]{0,4})+\b(?!\.\w)/g,
];

/** Joined identifiers, and words that contain digits: SHA-256, OPS-118, release-2.1, snake_case. */
// A word that is joined to such a token but has no digit itself is not included: base64-encoded.
const identifiers = /(?<![\w-])(?=[\w.-]*[\d_])[A-Za-z]\w*(?:[.-]\w+)*?(?:[.-]\w*\d\w*)*(?![\w.-]*\d)/g;

/** Tokens that begin with a digit but are no quantity: 7zip. */
const mixed = /(?<![\w-])(?=[\w.-]*[A-Za-z])(?=[\w.-]*[\d_])\w+(?:[.-]\w+)*/g;

const notNames = new Set(['i', "i'm", "i'd", "i'll", "i've", 'ok', 'mr', 'mrs', 'ms', 'dr', 'am', 'pm']);
const han = /\p{Script=Han}/u;

const latin = /\p{Script=Latin}/u;
const digit = /\p{N}/u;
/** Scripts that write words, or words and particles, without a space between them. */
const joining =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Capitalized words except at the beginning of a sentence, and acronyms anywhere; in a text of another script every
 * Latin word.
 */
function findNames(text: string): Term[] {
  const isLatin = detectWriting(text) === 'latin' && !han.test(text);
  const pattern = isLatin ? /\p{Lu}[\p{L}\p{M}']*/gu : /[A-Za-z][A-Za-z']*|\p{Lu}[\p{L}\p{M}']*/gu;
  return Array.from(text.matchAll(pattern)).flatMap((found): Term[] => {
    const shown = found[0].replace(/'s?$/, '');
    const before = text.slice(0, found.index);
    const acronym = shown.length > 1 && shown === shown.toUpperCase();
    const opens = (isLatin || !latin.test(shown)) && /(?:^|[.!?:\n]|[-*•])\s*$/.test(before);
    const inside = /[\p{L}\p{N}]$/u.test(before) && !joining.test(before.at(-1) ?? '');
    if (inside || notNames.has(shown.toLowerCase()) || (opens && !acronym)) return [];
    return [{ kind: 'name', shown }];
  });
}

const listMissingTerms = ({ terms }: Entities, other: string): Term[] => terms.filter((term) => !isTermIn(term, other));

const listMissingQuantities = ({ quantities }: Entities, other: Entities): Quantity[] =>
  quantities.filter((quantity) => !other.quantities.some((counterpart) => mayBeSameQuantity(quantity, counterpart)));

/** Returns whether a text contains a term in any form: quoted or not, a path in parts. */
function isTermIn({ kind, shown }: Term, text: string): boolean {
  const wanted = normalizeJoints(shown);
  const whole = normalizeJoints(withAsciiNumbers(text));
  if (containsAsWholeWord(wanted, whole)) return true;
  const parts = wanted.split(/[ /]+/).filter((part) => part !== '');
  if (kind === 'token') return parts.every((part) => containsAsWholeWord(part, whole.replaceAll('/', ' ')));
  return (
    kind === 'name' &&
    splitWords(whole).some(
      (word) => isSameName(wanted, word) || normalizeMeasurementUnit(wanted) === normalizeMeasurementUnit(word),
    )
  );
}

/** Normalizes joints and spaces (SHA-256, sha256); keeps slashes, and what distinguishes versions and addresses. */
const normalizeJoints = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[\s_-]+|(?<=\p{L})(?=\d)/gu, ' ')
    // NFKC has already turned fullwidth commas and marks (，！？) into ASCII.
    .replace(/^[\s.,!?。]+|[\s.,!?。]+$/g, '');

const isLatinOrDigit = (character: string): boolean => latin.test(character) || digit.test(character);

const containsAsWholeWord = (wanted: string, text: string): boolean => {
  const joined = /[\p{L}\p{N}]/u;
  const isBoundary = (outer: string, inner: string): boolean =>
    !joined.test(outer) ||
    !joined.test(inner) ||
    joining.test(outer) ||
    joining.test(inner) ||
    isLatinOrDigit(outer) !== isLatinOrDigit(inner);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const number = /^[\d.,]+\d/.test(text.slice(end)) && /^[.,]/.test(text.slice(end));
    if (
      !number &&
      isBoundary(text.charAt(at - 1), wanted.charAt(0)) &&
      isBoundary(text.charAt(end), wanted.at(-1) ?? '')
    )
      return true;
  }
  return false;
};

const splitWords = (text: string): string[] => text.match(/[\p{L}\p{M}]+/gu) ?? [];

/** Returns whether a name matches in one of its inflected forms: Germany, German; Anna, Anna's. */
const isSameName = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (!latin.test(a) && !latin.test(b)) return isSameForeignWord(a, b);
  return short === long || (short.length >= 4 && long.startsWith(short) && endings.has(long.slice(short.length)));
};
const endings = new Set(['s', 'es', 'y', 'n', 'an', 'ian', 'ish', 'ese']);
