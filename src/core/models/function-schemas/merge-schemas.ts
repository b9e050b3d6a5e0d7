import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';

/** Keywords that say nothing about which values fit. */
const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
]);

/** Keywords that change each other's meaning. */
const groups: readonly (readonly string[])[] = [
  ['properties', 'patternProperties', 'additionalProperties'],
  ['items', 'prefixItems', 'additionalItems'],
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
];

export const isAnnotation = (keyword: string): boolean => annotations.has(keyword);

/** Returns a schema with only those keywords that the predicate accepts. */
export const pickKeywords = (schema: JsonObject, wanted: (keyword: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => wanted(keyword)));

/**
 * Returns one schema that values fit if they fit both, with the annotations of the second; null if both speak of the same, so that
 * only `allOf` can say it.
 */
export function mergeSchemasOrNull(first: JsonObject, second: JsonObject): JsonObject | null {
  const [a, b] = [first, second].map((schema) => pickKeywords(schema, (keyword) => !isAnnotation(keyword)));
  if (a === undefined || b === undefined) return null;
  const all = { ...a, ...b };
  if ('unevaluatedProperties' in all || 'unevaluatedItems' in all)
    return isEmptySchema(a) || isEmptySchema(b) ? overlaySchemas(first, second) : null;
  const merged = { ...mergeRequiredAndProperties(a, b) };
  for (const keyword of Object.keys(a)) {
    if (!(keyword in b) || keyword in merged) continue;
    if (JSON.stringify(a[keyword]) !== JSON.stringify(b[keyword])) return null;
  }
  const clash = groups.some(
    (group) =>
      group.some((keyword) => keyword in a) &&
      group.some((keyword) => keyword in b) &&
      !(group.includes('properties') && 'properties' in merged),
  );
  return clash ? null : { ...overlaySchemas(first, second), ...merged };
}

const overlaySchemas = (first: JsonObject, second: JsonObject): JsonObject => ({ ...first, ...second });
const isEmptySchema = (schema: JsonObject): boolean => Object.keys(schema).length === 0;

/** Returns `required` and `properties` of both, where these can be written together. */
function mergeRequiredAndProperties(a: JsonObject, b: JsonObject): JsonObject {
  const { properties: ours, required: wanted } = a;
  const { properties: theirs, required: alsoWanted } = b;
  const required =
    Array.isArray(wanted) && Array.isArray(alsoWanted) ? { required: [...new Set([...wanted, ...alsoWanted])] } : {};
  const isOpen = [a, b].every((each) => !('additionalProperties' in each) && !('patternProperties' in each));
  if (!isOpen || !isJsonObject(ours) || !isJsonObject(theirs)) return required;
  const isShared = Object.keys(ours).some((name) => Object.hasOwn(theirs, name));
  return isShared ? required : { ...required, properties: { ...ours, ...theirs } };
}
