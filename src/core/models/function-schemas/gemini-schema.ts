import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { type JsonObject, isJsonObject } from '#core/values/json-schema/json-object.ts';
import { isAnnotation, pickKeywords } from './merge-schemas.ts';
import { type Writing, extendPointer } from './writing.ts';

/**
 * Returns whether it is plain that no value fits two of these schemas: they have different types, list different values, or are
 * objects that are told apart by the values of a field that each requires.
 */
function areSchemasPairwiseDisjoint(schemas: readonly unknown[]): boolean {
  const read = schemas.filter((schema) => schema !== false);
  return read.every((one, at) => read.slice(at + 1).every((other) => arePairDisjoint(one, other, 0)));
}

/** Fields that tell objects apart are looked for this deep. */
const deepest = 2;

function arePairDisjoint(one: unknown, other: unknown, depth: number): boolean {
  if (!isJsonObject(one) || !isJsonObject(other) || depth > deepest) return false;
  const [types, others] = [listTypesOrNull(one), listTypesOrNull(other)];
  if (types !== null && others !== null && types.isDisjointFrom(others)) return true;
  const [values, otherValues] = [listValueTextsOrNull(one), listValueTextsOrNull(other)];
  if (values !== null && otherValues !== null && values.isDisjointFrom(otherValues)) return true;
  const { properties: fields, required } = one;
  const { properties: otherFields, required: alsoRequired } = other;
  if (!isObjectOnly(types) || !isObjectOnly(others)) return false;
  if (!isJsonObject(fields) || !isJsonObject(otherFields) || !Array.isArray(required) || !Array.isArray(alsoRequired))
    return false;
  return required
    .filter((name) => typeof name === 'string')
    .filter((name) => alsoRequired.includes(name) && Object.hasOwn(fields, name) && Object.hasOwn(otherFields, name))
    .some((name) => arePairDisjoint(fields[name], otherFields[name], depth + 1));
}

const isObjectOnly = (types: ReadonlySet<string> | null): boolean => types?.size === 1 && types.has('object');

/** Returns the types that a schema allows; null if any. An integer is a number. */
function listTypesOrNull({ type, ...schema }: JsonObject): ReadonlySet<string> | null {
  const named: readonly unknown[] | null = Array.isArray(type) ? type : type === undefined ? null : [type];
  if (named !== null) return new Set(named.map((each) => (each === 'integer' ? 'number' : String(each))));
  const values = listedValuesOrNull(schema);
  return values === null ? null : new Set(values.map(typeOfValue));
}

const typeOfValue = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const listedValuesOrNull = ({ enum: listed, ...others }: JsonObject): readonly unknown[] | null =>
  Array.isArray(listed) ? listed : 'const' in others ? [others['const']] : null;

/** Returns the listed values as texts; null if none are listed, or one of them may be written in several ways. */
function listValueTextsOrNull(schema: JsonObject): ReadonlySet<string> | null {
  const values = listedValuesOrNull(schema);
  const isPlain = values?.every((value) => typeof value !== 'object' || value === null) ?? false;
  return values === null || !isPlain ? null : new Set(values.map((value) => JSON.stringify(value)));
}

/**
 * Writes a schema that lists its values, of which those count that fit the rest of it. Only texts can be listed: a number is one
 * that is neither less nor more than it, both truth values are the type, and null is `nullable`.
 */
function convertListedValues(schema: JsonObject, pointer: string, writing: Writing): JsonObject {
  const { enum: listed, const: only } = schema;
  const keyword = Array.isArray(listed) ? 'enum' : 'const';
  const stated: readonly unknown[] = Array.isArray(listed) ? listed : [only];
  if (keyword === 'const') writing.rewrites.add('const-to-enum');
  // The list itself would be compared with each of its values.
  const { [keyword]: _, ...rest } = schema;
  const fits = stated.map((value) => ({ value, ...checkValueAgainstSchema(rest, value, writing.steps) }));
  if (fits.some(({ verdict }) => verdict === 'undecided'))
    return writing.recordRefusalGivingEmptySchema('undecided', extendPointer(pointer, keyword));
  const values = new Set(fits.filter(({ verdict }) => verdict === 'fits').map(({ value }) => value));
  const texts = [...values].filter((value) => typeof value === 'string');
  const numbers = [...values].filter((value) => typeof value === 'number');
  const truths = [...values].filter((value) => typeof value === 'boolean');
  const isNullable = values.has(null);
  const isComplete = texts.length + numbers.length + truths.length + (isNullable ? 1 : 0) === values.size;
  if (!isComplete || truths.length === 1)
    return writing.recordRefusalGivingEmptySchema('values', extendPointer(pointer, keyword));
  if (numbers.length > 0) writing.rewrites.add('enum-to-bounds');
  const alternatives = [
    ...(texts.length === 0 ? [] : [{ type: 'string', enum: texts }]),
    ...makeSchemasOfNumberRanges(numbers),
    ...(truths.length === 0 ? [] : [{ type: 'boolean' }]),
  ];
  const [first, ...more] = alternatives;
  if (first === undefined)
    return isNullable
      ? { type: 'null' }
      : writing.recordRefusalGivingEmptySchema('nothing-fits', extendPointer(pointer, keyword));
  if (isNullable) writing.rewrites.add('null-to-nullable');
  return { ...(more.length === 0 ? first : { anyOf: alternatives }), ...(isNullable ? { nullable: true } : {}) };
}

/** Writes numbers as bounds; integers that follow each other share theirs. */
function makeSchemasOfNumberRanges(numbers: readonly number[]): JsonObject[] {
  const ranges: { type: string; minimum: number; maximum: number }[] = [];
  for (const value of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    const type = Number.isInteger(value) ? 'integer' : 'number';
    if (last?.type === 'integer' && type === 'integer' && value === last.maximum + 1) last.maximum = value;
    else ranges.push({ type, minimum: value, maximum: value });
  }
  return ranges;
}

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

/** The keywords of each type that `Schema` has; it has no other assertions but `type`, `enum` and `anyOf`. */
const numeric = ['minimum', 'maximum'];
const keywordsOf: Readonly<Record<TypeName, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: numeric,
  integer: numeric,
  boolean: [],
  object: ['properties', 'required', 'minProperties', 'maxProperties'],
  array: ['items', 'minItems', 'maxItems'],
};
const written: ReadonlySet<string> = new Set(Object.values(keywordsOf).flat());
const exclusive: ReadonlySet<string> = new Set(['exclusiveMinimum', 'exclusiveMaximum']);
/** What has no word, and says something. Any keyword that is not known to say something is an annotation. */
const wordless =
  'multipleOf uniqueItems contains minContains maxContains prefixItems unevaluatedItems patternProperties propertyNames ' +
  'unevaluatedProperties dependentRequired dependentSchemas dependencies not if allOf';
const wordlessKeywords: ReadonlySet<string> = new Set(wordless.split(' '));

interface Place {
  readonly pointer: string;
  readonly depth: number;
}

/**
 * Returns a schema of draft 2020-12 without references in the words of Gemini's `Schema`, where `nullable` allows null and
 * `properties` lists all that an object has: whether it may have more cannot be said.
 */
export function convertToGeminiSchema(schema: unknown, place: Place, writing: Writing): JsonObject {
  const { pointer, depth } = place;
  if (schema === true) return {};
  if (!isJsonObject(schema))
    return writing.recordRefusalGivingEmptySchema(schema === false ? 'nothing-fits' : 'no-schema', pointer);
  if (!writing.countSubschemaIfAllowed(pointer, depth)) return {};
  const unsaid = Object.keys(schema).find((keyword) => isKeywordWithoutEquivalent(keyword, schema[keyword]));
  if (Array.isArray(schema['enum']) || 'const' in schema)
    return { ...convertListedValues(schema, pointer, writing), ...pickTitleAndDescription(schema, writing) };
  if (unsaid !== undefined) return writing.recordRefusalGivingEmptySchema('keyword', extendPointer(pointer, unsaid));
  const parts = convertKeywordsAndUnion(schema, place, writing);
  return { ...combineTypesWithKeywords(schema, parts, pointer, writing), ...pickTitleAndDescription(schema, writing) };
}

/** Returns whether a keyword says something for which there is no word. */
function isKeywordWithoutEquivalent(keyword: string, value: unknown): boolean {
  if (keyword === 'uniqueItems') return value !== false;
  if (keyword === 'items') return value === false;
  if (keyword === 'additionalProperties')
    return isJsonObject(value) && Object.keys(value).some((each) => !isAnnotation(each));
  return wordlessKeywords.has(keyword);
}

function pickTitleAndDescription({ title, description, ...others }: JsonObject, writing: Writing): JsonObject {
  if (Object.keys(others).some(isAnnotation)) writing.rewrites.add('annotations-dropped');
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

/** What a schema says, beside its types, in words that `Schema` has. */
interface Parts {
  readonly keywords: JsonObject;
  /** The alternatives, without the one that is null; null if there are none. */
  readonly union: readonly JsonObject[] | null;
}

function convertKeywordsAndUnion(schema: JsonObject, { pointer, depth }: Place, writing: Writing): Parts {
  const write = (value: unknown, ...parts: readonly (string | number)[]): JsonObject =>
    convertToGeminiSchema(value, { pointer: extendPointer(pointer, ...parts), depth: depth + 1 }, writing);
  const kept: Record<string, unknown> = pickKeywords(schema, (keyword) => written.has(keyword));
  const { properties, items, required } = schema;
  if (isJsonObject(properties))
    kept['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, write(each, 'properties', name)]),
    );
  if ('additionalProperties' in schema) writing.rewrites.add('fields-listed');
  if (items !== undefined) kept['items'] = write(items, 'items');
  if (Array.isArray(required)) declareRequiredProperties(kept, schema, required, pointer, writing);
  for (const keyword of exclusive) {
    const bound = schema[keyword];
    if (typeof bound === 'number') writeExclusiveBoundAsInclusive(kept, keyword, bound, schema['type'], writing);
  }
  return { keywords: kept, union: convertUnion(schema, write, pointer, writing) };
}

/** Fields that are required have to be listed: "property is not defined". */
function declareRequiredProperties(
  kept: Record<string, unknown>,
  { properties, additionalProperties }: JsonObject,
  required: readonly unknown[],
  pointer: string,
  writing: Writing,
): void {
  const listed = isJsonObject(kept['properties']) ? kept['properties'] : {};
  const names = required.filter((name) => typeof name === 'string');
  const unlisted = names.filter((name) => !isJsonObject(properties) || !Object.hasOwn(properties, name));
  if (names.length === 0) delete kept['required'];
  if (unlisted.length === 0) return;
  if (additionalProperties === false)
    writing.recordRefusalGivingEmptySchema('nothing-fits', extendPointer(pointer, 'required'));
  writing.rewrites.add('properties-added');
  kept['properties'] = { ...listed, ...Object.fromEntries(unlisted.map((name) => [name, {}])) };
}

/** Writes an exclusive bound as the next value within it: the next integer, or the next number that JSON's readers know. */
function writeExclusiveBoundAsInclusive(
  kept: Record<string, unknown>,
  keyword: string,
  bound: number,
  type: unknown,
  writing: Writing,
): void {
  const isLower = keyword === 'exclusiveMinimum';
  const own = isLower ? 'minimum' : 'maximum';
  const isWhole = type === 'integer' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const whole = isLower ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
  const within = isWhole ? whole : nextDouble(bound, isLower);
  const stated = kept[own];
  const both = typeof stated === 'number' ? [stated, within] : [within];
  kept[own] = isLower ? Math.max(...both) : Math.min(...both);
  writing.rewrites.add('exclusive-to-inclusive');
}

/** Returns the next double above or below a number. */
function nextDouble(value: number, isUp: boolean): number {
  if (value === 0) return isUp ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 === isUp ? 1n : -1n));
  return view.getFloat64(0);
}

function convertUnion(
  schema: JsonObject,
  write: (value: unknown, ...parts: readonly (string | number)[]) => JsonObject,
  pointer: string,
  writing: Writing,
): readonly JsonObject[] | null {
  const { anyOf, oneOf } = schema;
  if (Array.isArray(anyOf) && Array.isArray(oneOf))
    writing.recordRefusalGivingEmptySchema('keyword', extendPointer(pointer, 'oneOf'));
  const [keyword, branches] = Array.isArray(anyOf) ? (['anyOf', anyOf] as const) : (['oneOf', oneOf] as const);
  if (!Array.isArray(branches)) return null;
  if (keyword === 'oneOf') {
    writing.rewrites.add('one-of-to-any-of');
    if (!areSchemasPairwiseDisjoint(branches))
      writing.recordRefusalGivingEmptySchema('overlapping-alternatives', extendPointer(pointer, keyword));
  }
  return branches
    .flatMap((each, at) => (isUnsatisfiableSchema(each) ? [] : [write(each, keyword, at)]))
    .filter(({ type }) => type !== 'null');
}

/** Returns whether nothing fits a schema: generators write an optional value as `not: {}` beside its schema. */
const isUnsatisfiableSchema = (schema: unknown): boolean =>
  schema === false ||
  (isJsonObject(schema) &&
    (schema['not'] === true || (isJsonObject(schema['not']) && Object.keys(schema['not']).length === 0)));

/** Writes the types of a schema: one type, or alternatives of one type each; null by `nullable`. */
function combineTypesWithKeywords(
  schema: JsonObject,
  { keywords, union }: Parts,
  pointer: string,
  writing: Writing,
): JsonObject {
  const { type } = schema;
  const named = Array.isArray(type) ? type : type === undefined ? null : [type];
  if (named === null && union === null) return keywords;
  const fit = checkValueAgainstSchema(schema, null, writing.steps);
  if (fit.verdict === 'undecided') return writing.recordRefusalGivingEmptySchema('undecided', pointer);
  const isNullable = fit.verdict === 'fits';
  const nullable = isNullable ? { nullable: true } : {};
  const types = named === null ? null : listKnownTypesWithoutNull(named);
  if (types?.length === 0 || union?.length === 0)
    return isNullable ? { type: 'null' } : writing.recordRefusalGivingEmptySchema('nothing-fits', pointer);
  if (isNullable) writing.rewrites.add('null-to-nullable');
  const alternatives = union === null ? {} : { anyOf: union };
  if (types === null) {
    const [only, ...more] = union ?? [];
    const isBare = Object.keys(keywords).length === 0;
    if (only !== undefined && more.length === 0 && isBare) return { ...only, ...nullable };
    return { ...keywords, ...alternatives, ...nullable };
  }
  const [only, ...more] = types;
  if (only !== undefined && more.length === 0)
    return { type: only, ...alternatives, ...pickKeywordsOfType(only, keywords), ...nullable };
  if (union !== null) return writing.recordRefusalGivingEmptySchema('keyword', extendPointer(pointer, 'type'));
  writing.rewrites.add('types-to-any-of');
  return { anyOf: types.map((each) => ({ type: each, ...pickKeywordsOfType(each, keywords) })), ...nullable };
}

function listKnownTypesWithoutNull(named: readonly unknown[]): TypeName[] {
  const isType = (name: unknown): name is TypeName => typeof name === 'string' && name in keywordsOf;
  const types = [...new Set(named.filter(isType))];
  return types.includes('number') ? types.filter((each) => each !== 'integer') : types;
}

/** A list has to say what its items are: "items: missing field". */
function pickKeywordsOfType(type: TypeName, keywords: JsonObject): JsonObject {
  const own = pickKeywords(keywords, (keyword) => keywordsOf[type].includes(keyword));
  return type === 'array' ? { items: {}, ...own } : own;
}
