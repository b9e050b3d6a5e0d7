import { isJsonObject, type JsonObject } from './json-object.ts';

const schemaKeys = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'unevaluatedItems',
  'additionalItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
];
/** Keywords with a list of schemas. */
export const schemaListKeys = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** Keywords with schemas by name. */
export const schemaMapKeys = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Lists the direct subschemas of a schema, each with its path. */
export function* generateSubschemas(schema: JsonObject, path: string): Generator<[path: string, schema: unknown]> {
  for (const key of schemaKeys) if (Object.hasOwn(schema, key)) yield [`${path}/${key}`, schema[key]];
  const { items, dependencies } = schema;
  if (Array.isArray(items)) for (const [i, each] of items.entries()) yield [`${path}/items/${i}`, each];
  else if (items !== undefined) yield [`${path}/items`, items];
  for (const key of schemaListKeys) {
    const list = schema[key];
    if (Array.isArray(list)) for (const [i, each] of list.entries()) yield [`${path}/${key}/${i}`, each];
  }
  for (const key of schemaMapKeys) {
    const map = schema[key];
    if (isJsonObject(map)) for (const [name, each] of Object.entries(map)) yield [`${path}/${key}/${name}`, each];
  }
  if (!isJsonObject(dependencies)) return;
  for (const [name, each] of Object.entries(dependencies))
    if (!Array.isArray(each)) yield [`${path}/dependencies/${name}`, each];
}
