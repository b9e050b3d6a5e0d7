import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';

/**
 * Returns whether it is plain that no value fits two of these schemas: they have different types, list different values, or are
 * objects that are told apart by the values of a field that each requires.
 */
export function areSchemasPairwiseDisjoint(schemas: readonly unknown[]): boolean {
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
