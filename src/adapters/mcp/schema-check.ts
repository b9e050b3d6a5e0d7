import { dereference, type Schema } from '@cfworker/json-schema';

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
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
const schemaListKeys = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const schemaMapKeys = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const numberKeys = ['minimum', 'maximum', 'multipleOf'];
const countKeys = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const textKeys = ['$ref', '$id', '$schema', 'pattern', 'format', 'title', 'description'];
const maxDepth = 64;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Holds a tool's schema against JSON Schema (drafts 4 to 2020-12, as far as they agree): keywords have values of their kind,
 * patterns compile, references lead somewhere inside the schema. Gives the first problem found, with its path.
 */
export function schemaProblem(schema: Fields): string | undefined {
  if (schema['type'] !== 'object') return '#: the type is not "object"';
  return problemOfSchema(schema, '#', 0) ?? problemOfReferences(schema);
}

function problemOfSchema(schema: unknown, path: string, depth: number): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isFields(schema)) return `${path}: not a schema`;
  if (depth > maxDepth) return `${path}: nested too deep`;
  return problemOfKeywords(schema, path) ?? firstProblem(subschemas(schema, path), depth);
}

function firstProblem(found: Iterable<[string, unknown]>, depth: number): string | undefined {
  for (const [path, schema] of found) {
    const problem = problemOfSchema(schema, path, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function* subschemas(schema: Fields, path: string): Generator<[string, unknown]> {
  for (const key of schemaKeys) if (key in schema) yield [`${path}/${key}`, schema[key]];
  const items = schema['items'];
  if (Array.isArray(items)) for (const [i, each] of items.entries()) yield [`${path}/items/${i}`, each];
  else if (items !== undefined) yield [`${path}/items`, items];
  for (const key of schemaListKeys) {
    const list = schema[key];
    if (Array.isArray(list)) for (const [i, each] of list.entries()) yield [`${path}/${key}/${i}`, each];
  }
  for (const key of schemaMapKeys) {
    const map = schema[key];
    if (isFields(map)) for (const [name, each] of Object.entries(map)) yield [`${path}/${key}/${name}`, each];
  }
}

function problemOfKeywords(schema: Fields, path: string): string | undefined {
  const wrong = (key: string, want: string): string => `${path}/${key}: not ${want}`;
  const has = (key: string): boolean => schema[key] !== undefined;
  for (const key of schemaListKeys) if (has(key) && !Array.isArray(schema[key])) return wrong(key, 'a list of schemas');
  for (const key of schemaMapKeys) if (has(key) && !isFields(schema[key])) return wrong(key, 'an object of schemas');
  for (const key of numberKeys) if (has(key) && typeof schema[key] !== 'number') return wrong(key, 'a number');
  for (const key of countKeys) if (has(key) && !isCount(schema[key])) return wrong(key, 'a count');
  for (const key of textKeys) if (has(key) && typeof schema[key] !== 'string') return wrong(key, 'a text');
  if (has('type') && !isType(schema['type'])) return wrong('type', 'a type of JSON');
  if (has('enum') && !Array.isArray(schema['enum'])) return wrong('enum', 'a list');
  // Draft 3 and some generators write `required: true` inside a property; nothing can be read from that.
  if (has('required') && !isTexts(schema['required'])) return wrong('required', 'a list of names');
  const { pattern } = schema;
  if (typeof pattern === 'string' && !compiles(pattern)) return wrong('pattern', 'a regular expression');
  const map = schema['patternProperties'];
  if (isFields(map) && !Object.keys(map).every(compiles)) return wrong('patternProperties', 'regular expressions');
  return undefined;
}

function problemOfReferences(schema: Fields): string | undefined {
  try {
    // The library writes into the schema that it is given.
    const own: Schema = structuredClone(schema);
    const known = dereference(own);
    const lost = Object.values(known).find((each) => {
      if (typeof each === 'boolean' || each.$ref === undefined) return false;
      return known[each.__absolute_ref__ ?? each.$ref] === undefined;
    });
    return typeof lost === 'object' ? `the reference ${String(lost.$ref)} leads nowhere` : undefined;
  } catch {
    return 'the ids and references do not resolve';
  }
}

function compiles(pattern: string): boolean {
  return ['u', 'v', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isType = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((each) => typeof each === 'string' && types.has(each))
    : typeof value === 'string' && types.has(value);
