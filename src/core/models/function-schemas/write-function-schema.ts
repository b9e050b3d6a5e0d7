import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { References } from '#core/values/json-schema/references.ts';
import { convertToDraft2020 } from './bring-up-to-date.ts';
import { convertToGeminiSchema } from './gemini-schema.ts';
import { schemaProfiles, type SchemaProfile, type SchemaProfileName } from './profiles.ts';
import { extendPointer, Writing, type SchemaRefusal, type SchemaRewrite } from './writing.ts';

/** A function's schema for a profile, and what was changed in it; or why it cannot be written with the same meaning. */
export type WrittenSchema =
  | { readonly ok: true; readonly schema: JsonObject; readonly rewrites: readonly SchemaRewrite[] }
  | { readonly ok: false; readonly refusal: SchemaRefusal };

const known = new WeakMap<JsonObject, Map<SchemaProfileName, WrittenSchema>>();

/**
 * Writes the schema of a function's parameters as a profile takes it, so that the same arguments fit: these are objects, and under
 * `gemini` they have no fields but those that are listed. Under `any` a schema that cannot be written is left as it is, without
 * `$schema`.
 */
export function convertFunctionSchemaForProfile(schema: JsonObject, name: SchemaProfileName): WrittenSchema {
  const byProfile = known.get(schema) ?? new Map<SchemaProfileName, WrittenSchema>();
  known.set(schema, byProfile);
  const written = byProfile.get(name) ?? convertFunctionSchemaUncached(schema, schemaProfiles[name]);
  byProfile.set(name, written);
  return written;
}

function convertFunctionSchemaUncached(schema: JsonObject, profile: SchemaProfile): WrittenSchema {
  const writing = new Writing(schema, profile.isGemini);
  const current = convertToDraft2020(schema, { pointer: '', depth: 0, open: [schema] }, writing);
  const root = convertRootSchema(current, profile, writing);
  if (writing.refusal === null && !profile.isGemini) recordRefusalOfBrokenReference(root, writing);
  const { refusal } = writing;
  if (refusal === null) return { ok: true, schema: root, rewrites: [...writing.rewrites].toSorted() };
  if (profile.refuses) return { ok: false, refusal };
  const { $schema, ...rest } = schema;
  return { ok: true, schema: rest, rewrites: $schema === undefined ? [] : ['dialect-dropped'] };
}

function convertRootSchema(current: unknown, profile: SchemaProfile, writing: Writing): JsonObject {
  if (!isJsonObject(current)) return writing.recordRefusalGivingEmptySchema('no-object', '');
  const { type } = current;
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object')))
    return writing.recordRefusalGivingEmptySchema('no-object', '/type');
  for (const keyword of profile.notAtRoot)
    if (keyword in current) return writing.recordRefusalGivingEmptySchema('keyword', extendPointer('', keyword));
  if (type !== 'object') writing.rewrites.add('type-added');
  const object: JsonObject = { ...current, type: 'object' };
  const written = profile.isGemini ? convertToGeminiSchema(object, { pointer: '', depth: 0 }, writing) : object;
  if (profile.isGemini && written['type'] !== 'object') return writing.recordRefusalGivingEmptySchema('no-object', '');
  const { properties } = written;
  if (isJsonObject(properties)) recordRefusalOfInvalidFieldName(properties, profile, writing);
  else writing.rewrites.add('properties-added');
  const whole = isJsonObject(properties) ? written : { ...written, properties: {} };
  return profile.wantsItems && !profile.isGemini ? addMissingItems(whole, writing) : whole;
}

function recordRefusalOfInvalidFieldName(
  properties: JsonObject,
  { fieldNames }: SchemaProfile,
  writing: Writing,
): void {
  const wrong = fieldNames === null ? undefined : Object.keys(properties).find((name) => !fieldNames.test(name));
  if (wrong !== undefined) writing.recordRefusalGivingEmptySchema('field-name', extendPointer('/properties', wrong));
}

const isArraySchema = ({ type }: JsonObject): boolean =>
  type === 'array' || (Array.isArray(type) && type.includes('array'));
const singles: readonly string[] =
  'items additionalProperties contains not if then else propertyNames unevaluatedItems unevaluatedProperties'.split(
    ' ',
  );
const lists: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const maps: readonly string[] = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Adds `items` to each schema of arrays without them. */
function addMissingItems(schema: JsonObject, writing: Writing): JsonObject {
  const add = (value: unknown): unknown => (isJsonObject(value) ? addMissingItems(value, writing) : value);
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (lists.includes(keyword) && Array.isArray(value)) result[keyword] = value.map(add);
    else if (maps.includes(keyword) && isJsonObject(value))
      result[keyword] = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, add(each)]));
    else result[keyword] = singles.includes(keyword) ? add(value) : value;
  }
  if (!isArraySchema(schema) || 'items' in schema) return result;
  writing.rewrites.add('items-added');
  // Beside `unevaluatedItems`, an empty schema would evaluate them all.
  return 'unevaluatedItems' in schema
    ? writing.recordRefusalGivingEmptySchema('keyword', 'unevaluatedItems')
    : { ...result, items: {} };
}

/** What was rewritten may have been what a reference points to. */
function recordRefusalOfBrokenReference(schema: JsonObject, writing: Writing): void {
  const broken = new References(schema, writing.steps).findBrokenReference();
  if (broken === null) writing.recordRefusalGivingEmptySchema('undecided', '');
  else if (broken !== undefined) writing.recordRefusalGivingEmptySchema('broken-reference', broken);
}
