import {
  isSchema,
  listAlternatives,
  listSchemaWithRefsAndAllOfParts,
  type Schema,
  type Verdict,
} from '#core/catalog/schema-fields.ts';
import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { extractQuantitiesAndRest } from '#core/similarity/quantities.ts';
import { ordinals, round, small } from '#core/similarity/numerals.ts';
import { normalizeCaseAndSpace } from '#core/similarity/plain-text.ts';
import { formats } from '#core/values/json-schema/formats.ts';

/** Whether words of a request can state a value of an argument's type, and why. */
export interface SpanVerdict {
  readonly verdict: Verdict;
  /** What is missing, or what was found. */
  readonly reason: string;
}

const yes: SpanVerdict = { verdict: 'yes', reason: 'says a value' };

/**
 * Returns whether a span of a request states a value for an argument, by the argument's type. `root` is the input schema
 * to which references of `schema` refer; `isQuoted` says that the request has the span in quotes. A number needs a
 * numeral or a number word, a list a list, an object an object; of a truth value, of values outside of an enum and of
 * other ways to write a format only the critic can tell (`unknown`). For an argument of several types the best one counts.
 */
export function spanVerdict(schema: Schema, root: Schema, span: string, isQuoted: boolean): SpanVerdict {
  const parts = listSchemaWithRefsAndAllOfParts(schema, root);
  const choices = parts.flatMap((part) => listEnumAndConstTexts(part));
  if (choices.length > 0) return choiceVerdict(choices, span);
  const branches = listAlternatives(parts);
  const own = listSchemaTypes(parts).map((type) => typeVerdict(type, { parts, root, schema, span, isQuoted }));
  const verdicts = [...own, ...branches.slice(0, mostBranches).map((each) => spanVerdict(each, root, span, isQuoted))];
  return (
    verdicts.find(({ verdict }) => verdict === 'yes') ??
    verdicts.find(({ verdict }) => verdict === 'unknown') ??
    verdicts[0] ??
    yes
  );
}

/** How many alternatives of a schema are looked at. */
const mostBranches = 10;

const listEnumAndConstTexts = (part: Schema): string[] =>
  [...(Array.isArray(part['enum']) ? part['enum'] : []), ...('const' in part ? [part['const']] : [])]
    .filter((value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    .map(String);

const textWithSpacesAroundWords = (text: string): string =>
  ` ${normalizeCaseAndSpace(text)
    .replace(/[^\p{L}\p{M}\p{N}.+#]+/gu, ' ')
    .trim()} `;

function choiceVerdict(choices: readonly string[], span: string): SpanVerdict {
  const said = textWithSpacesAroundWords(span);
  return choices.some((choice) => said.includes(textWithSpacesAroundWords(choice)))
    ? yes
    : { verdict: 'unknown', reason: 'says none of the allowed values by name' };
}

/** Returns the types that a schema names or implies; `null` needs no words. */
function listSchemaTypes(parts: readonly Schema[]): string[] {
  const named = parts
    .flatMap(({ type }) => (Array.isArray(type) ? type : [type]))
    .filter((type) => typeof type === 'string');
  if (named.length > 0) return [...new Set(named)].filter((type) => type !== 'null');
  if (parts.some((part) => isSchema(part['properties']))) return ['object'];
  return parts.some((part) => 'items' in part) ? ['array'] : [];
}

interface Said {
  readonly schema: Schema;
  readonly parts: readonly Schema[];
  readonly root: Schema;
  readonly span: string;
  readonly isQuoted: boolean;
}

function typeVerdict(type: string, said: Said): SpanVerdict {
  switch (type) {
    case 'number':
    case 'integer':
      if (hasNumeral(said.span)) return yes;
      return { verdict: knownScripts.test(said.span) ? 'no' : 'unknown', reason: 'says no number' };
    case 'boolean':
      return /\b(?:true|false|yes|no|on|off)\b/i.test(said.span)
        ? yes
        : { verdict: 'unknown', reason: 'says neither true nor false' };
    case 'array':
      return listVerdict(said);
    case 'object':
      return objectVerdict(said);
    default: {
      const format = said.parts.map((part) => part['format']).find((value) => typeof value === 'string');
      return format === undefined ? yes : formatVerdict(format, said.span);
    }
  }
}

const numberWords = new Set([
  ...small,
  ...ordinals,
  ...round,
  ...'first second half quarter once twice thrice pair couple dozen hundred thousand million billion double triple single'.split(
    ' ',
  ),
]);

/** The scripts whose number words are known. */
const knownScripts = /[\p{Script=Latin}\p{Script=Han}]/u;

/** Returns whether a text has a number in digits, or in words of English or Chinese. */
export function hasNumeral(text: string): boolean {
  // `An hour` is one hour.
  if (extractQuantitiesAndRest(text).quantities.some(({ kind }) => kind === 'number' || kind === 'time')) return true;
  if (/[\p{Nd}\p{Nl}\p{No}]/u.test(text) || /[零〇一二两三四五六七八九十百千万亿半]/u.test(text)) return true;
  return text
    .toLowerCase()
    .replace(pronoun, ' ')
    .split(/[^\p{L}]+/u)
    .some((word) => numberWords.has(word));
}

/** `The usual one` is no number. */
const pronoun = /\b(?:the|this|that|which|each|every|any|another)\s(?:\p{L}+\s)?ones?\b/gu;

/** What separates the items of a list in words. */
const separator = /[,;，、；\n]|\s(?:and|or|plus|&)\s|和|与|及/u;

function listVerdict(said: Said): SpanVerdict {
  const { parts, root, span, isQuoted } = said;
  const literal = parseJsonListOrObject(span);
  if (Array.isArray(literal)) return literalVerdict(said, literal);
  const items = parts.map((part) => part['items']).find(isSchema) ?? {};
  const itemParts = listSchemaWithRefsAndAllOfParts(items, root);
  const isStructured = listSchemaTypes(itemParts).some((type) => type === 'object' || type === 'array');
  const listed = span.split(separator).filter((item) => item.trim() !== '');
  const least = Math.max(0, ...parts.flatMap(({ minItems }) => (typeof minItems === 'number' ? [minItems] : [])));
  if (listed.length > 1) {
    if (listed.length < least) return { verdict: 'unknown', reason: `lists less than ${least} items` };
    if (isStructured) return { verdict: 'unknown', reason: 'lists words, not the objects or lists that it needs' };
    const verdicts = listed.map((item) => spanVerdict(items, root, item.trim(), isQuoted));
    return verdicts.find(({ verdict }) => verdict !== 'yes') ?? yes;
  }
  if (isStructured || least > 1 || !mayBeOneItem(span, isQuoted)) return { verdict: 'no', reason: 'says no list' };
  const one = spanVerdict(items, root, span, isQuoted);
  return one.verdict === 'no' ? one : { verdict: 'unknown', reason: 'says a single value, and no list' };
}

/** Returns whether a span may be the only item of a list: a quoted value, a name, a number, an address or a file. */
const mayBeOneItem = (span: string, isQuoted: boolean): boolean =>
  isQuoted || /[\p{Lu}\p{Nd}@]|\w\.\w|:\/\//u.test(span) || !/[a-z]/i.test(span);

function objectVerdict(said: Said): SpanVerdict {
  const literal = parseJsonListOrObject(said.span);
  if (isSchema(literal)) return literalVerdict(said, literal);
  return /[\p{L}\p{N}_"']\s*[:=：]\s*\S/u.test(said.span)
    ? { verdict: 'unknown', reason: 'says names and values, but no object' }
    : { verdict: 'no', reason: 'says no object' };
}

/** Returns the value of a span that is JSON of a list or an object; undefined for any other. */
function parseJsonListOrObject(span: string): unknown {
  const parsed = /^\s*[[{]/.test(span) ? parseJsonWithinLimits(span) : null;
  return parsed?.ok === true ? parsed.value : undefined;
}

/** A literal is checked like an argument, with the definitions that its schema refers to. */
function literalVerdict({ schema, root }: Said, literal: unknown): SpanVerdict {
  const definitions = Object.fromEntries(
    ['$defs', 'definitions'].flatMap((key) => (key in root ? [[key, root[key]]] : [])),
  );
  const { verdict } = checkValueAgainstSchema({ ...definitions, ...schema }, literal);
  return verdict === 'violates' ? { verdict: 'no', reason: 'says a value that the schema does not allow' } : yes;
}

const saysFormat: SpanVerdict = { verdict: 'yes', reason: 'says a value of the format' };

/** Formats that people write in one way only, with what words must have to contain one. */
const exact: ReadonlyMap<string, RegExp> = new Map([
  ['email', /\S@\S+\.\S/],
  ['ipv4', /\d+\.\d+\.\d+\.\d+/],
  ['ipv6', /[\da-f]*:[\da-f:]+/i],
  ['uuid', /[\da-f]{8}-[\da-f-]{27}/i],
]);

/** Formats of dates and times, with the kinds of quantities that state one. */
const timely: ReadonlyMap<string, readonly string[]> = new Map([
  ['date', ['date', 'weekday', 'relative']],
  ['date-time', ['date', 'weekday', 'relative', 'time']],
  ['time', ['time']],
]);

/**
 * Returns whether a span states a value of a format. Dates, times and addresses can be said in many ways, so that other
 * words than a known one are `unknown`; an e-mail address, an IP address or a UUID that is not there is a no.
 */
function formatVerdict(format: string, span: string): SpanVerdict {
  if (formats.get(format)?.(span.trim()) === true) return saysFormat;
  const pattern = exact.get(format);
  if (pattern !== undefined) return pattern.test(span) ? saysFormat : { verdict: 'no', reason: `says no ${format}` };
  const kinds = timely.get(format);
  if (kinds !== undefined)
    return extractQuantitiesAndRest(span).quantities.some(({ kind }) => kinds.includes(kind))
      ? saysFormat
      : { verdict: 'unknown', reason: `says no ${format} that can be recognised` };
  if (/^(?:uri|url|iri)(?:-reference)?$/.test(format))
    return /\w\.\p{L}{2,}|:\/\//u.test(span) ? saysFormat : { verdict: 'unknown', reason: 'says no address' };
  return saysFormat;
}
