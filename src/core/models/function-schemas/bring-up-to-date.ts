import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { isAnnotation, mergeSchemasOrNull, pickKeywords } from './merge-schemas.ts';
import { extendPointer, type Writing } from './writing.ts';

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const single =
  'additionalProperties unevaluatedProperties propertyNames unevaluatedItems contains not if then else items';
const singles: ReadonlySet<string> = new Set(single.split(' '));
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

interface Place {
  readonly pointer: string;
  readonly depth: number;
  /** The targets of references that are being inlined. */
  readonly open: readonly unknown[];
}

/** Returns a schema as draft 2020-12 writes it, with its references inlined where the writing wants that. */
export function convertToDraft2020(schema: unknown, place: Place, writing: Writing): unknown {
  const { pointer, depth } = place;
  if (typeof schema === 'boolean') return schema;
  if (!isJsonObject(schema)) return writing.recordRefusalGivingEmptySchema('no-schema', pointer);
  if (!writing.countSubschemaIfAllowed(pointer, depth)) return {};
  if (typeof schema['$ref'] === 'string') return convertReference(schema, place, writing);
  return mergeAllOfParts(convertKeywords(schema, place, writing), place, writing);
}

/** Says that the meaning of a schema depends on where it is referred from. */
const dynamic = ['$dynamicRef', '$recursiveRef'];

function convertReference(schema: JsonObject, place: Place, writing: Writing): unknown {
  const { pointer, depth, open } = place;
  const { $ref, ...beside } = schema;
  const says = (keyword: string): boolean => !isAnnotation(keyword) && keyword !== '$defs' && keyword !== 'definitions';
  const isDropped = writing.referenceAlone && Object.keys(beside).some(says);
  if (isDropped) writing.rewrites.add('siblings-dropped');
  const kept = isDropped ? pickKeywords(beside, (keyword) => !says(keyword)) : beside;
  const siblings = convertKeywords(kept, place, writing);
  const target = writing.references.resolveReference(schema);
  if (target === undefined)
    return writing.recordRefusalGivingEmptySchema('broken-reference', extendPointer(pointer, '$ref'));
  // The outermost schema has to say itself that it is of an object.
  if (!writing.inlines && pointer !== '') return { $ref, ...siblings };
  if (open.includes(target))
    return writing.recordRefusalGivingEmptySchema('recursive-reference', extendPointer(pointer, '$ref'));
  writing.rewrites.add('reference-inlined');
  const inlined = convertToDraft2020(target, { pointer, depth: depth + 1, open: [...open, target] }, writing);
  if (!isJsonObject(inlined)) return inlined === true ? siblings : { not: {} };
  return mergeSchemasOrNull(inlined, siblings) ?? { allOf: [inlined, siblings] };
}

function convertKeywords(schema: JsonObject, place: Place, writing: Writing): JsonObject {
  const write = (value: unknown, ...parts: readonly (string | number)[]): unknown =>
    convertToDraft2020(
      value,
      { ...place, pointer: extendPointer(place.pointer, ...parts), depth: place.depth + 1 },
      writing,
    );
  const written: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(replaceOldForms(schema, writing))) {
    if (keyword === '$schema') writing.rewrites.add('dialect-dropped');
    else if (writing.inlines && (keyword === '$defs' || keyword === 'definitions')) continue;
    else if (dynamic.includes(keyword))
      writing.recordRefusalGivingEmptySchema('keyword', extendPointer(place.pointer, keyword));
    else if (keyword === 'type') written[keyword] = keepTypeKeywordOrRefuse(value, place, writing);
    else if (singles.has(keyword)) written[keyword] = write(value, keyword);
    else if (lists.has(keyword) && Array.isArray(value))
      written[keyword] = value.map((each, at) => write(each, keyword, at));
    else if (maps.has(keyword) && isJsonObject(value))
      written[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, write(each, keyword, name)]),
      );
    else written[keyword] = value;
  }
  return written;
}

function keepTypeKeywordOrRefuse(value: unknown, { pointer }: Place, writing: Writing): unknown {
  const named: readonly unknown[] = Array.isArray(value) ? value : [value];
  return named.length > 0 && named.every((each) => types.has(each))
    ? value
    : writing.recordRefusalGivingEmptySchema('no-schema', extendPointer(pointer, 'type'));
}

/** Returns a schema without the forms of drafts 4 to 7: bounds that are marked as exclusive, and lists in `items`. */
function replaceOldForms(schema: JsonObject, writing: Writing): JsonObject {
  let result: JsonObject = schema;
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const mark = result[exclusive];
    if (typeof mark !== 'boolean') continue;
    writing.rewrites.add('boolean-bound-to-number');
    const { [bound]: value, [exclusive]: _, ...others } = result;
    const kept = value === undefined ? {} : { [mark ? exclusive : bound]: value };
    result = { ...others, ...kept };
  }
  const { items, additionalItems, ...others } = result;
  if (!Array.isArray(items))
    return additionalItems === undefined ? result : items === undefined ? others : { ...others, items };
  writing.rewrites.add('tuple-to-prefix-items');
  const rest = additionalItems === undefined ? {} : { items: additionalItems };
  return items.length === 0 ? { ...others, ...rest } : { ...others, prefixItems: items, ...rest };
}

/** Merges the parts of `allOf` into the schema around them, where the profile may not take `allOf`. */
function mergeAllOfParts(schema: JsonObject, place: Place, writing: Writing): JsonObject {
  const { allOf, ...beside } = schema;
  if (!Array.isArray(allOf) || !(writing.inlines || place.pointer === '')) return schema;
  let merged: JsonObject = beside;
  for (const part of allOf) {
    if (part === true) continue;
    const next = isJsonObject(part) && !('$ref' in part) ? mergeSchemasOrNull(part, merged) : null;
    if (next === null) return schema;
    merged = next;
  }
  writing.rewrites.add('all-of-merged');
  return mergeAllOfParts(merged, place, writing);
}
