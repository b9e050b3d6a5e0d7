import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';
import { extendPointer, type Writing } from './writing.ts';

/**
 * Writes a schema that lists its values, of which those count that fit the rest of it. Only texts can be listed: a number is one
 * that is neither less nor more than it, both truth values are the type, and null is `nullable`.
 */
export function convertListedValues(schema: JsonObject, pointer: string, writing: Writing): JsonObject {
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
