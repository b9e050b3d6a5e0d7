import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { References } from '#core/values/json-schema/references.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { schemaListKeys, schemaMapKeys, generateSubschemas } from '#core/values/json-schema/subschemas.ts';

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const numberKeys = ['minimum', 'maximum', 'multipleOf'];
const countKeys = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const textKeys = ['$ref', '$id', '$schema', 'pattern', 'format', 'title', 'description'];
const maxDepth = 64;
/** Enough for a tool of maximum size that consists only of references. */
const referenceSteps = 2_000_000;

/**
 * Checks a tool's schema against JSON Schema (drafts 4 to 2020-12, as far as they agree): keywords have values of their
 * kind, patterns compile, references resolve inside the schema. Returns the first problem, with its path.
 */
export function outputSchemaProblem(schema: JsonObject): string | undefined {
  return findKeywordProblemInSchemaTree(schema, '#', 0) ?? findReferenceProblem(schema);
}

function findKeywordProblemInSchemaTree(schema: unknown, path: string, depth: number): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isJsonObject(schema)) return `${path}: not a schema`;
  if (depth > maxDepth) return `${path}: nested too deep`;
  return findKeywordProblem(schema, path) ?? firstSubschemaProblem(generateSubschemas(schema, path), depth);
}

function firstSubschemaProblem(found: Iterable<[string, unknown]>, depth: number): string | undefined {
  for (const [path, schema] of found) {
    const problem = findKeywordProblemInSchemaTree(schema, path, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findKeywordProblem(schema: JsonObject, path: string): string | undefined {
  const wrong = (key: string, want: string): string => `${path}/${key}: not ${want}`;
  const has = (key: string): boolean => schema[key] !== undefined;
  for (const key of schemaListKeys) if (has(key) && !Array.isArray(schema[key])) return wrong(key, 'a list of schemas');
  for (const key of schemaMapKeys)
    if (has(key) && !isJsonObject(schema[key])) return wrong(key, 'an object of schemas');
  for (const key of numberKeys) if (has(key) && typeof schema[key] !== 'number') return wrong(key, 'a number');
  for (const key of countKeys) if (has(key) && !isNonNegativeInteger(schema[key])) return wrong(key, 'a count');
  for (const key of textKeys) if (has(key) && typeof schema[key] !== 'string') return wrong(key, 'a text');
  if (has('type') && !namesJsonTypes(schema['type'])) return wrong('type', 'a type of JSON');
  if (has('enum') && !Array.isArray(schema['enum'])) return wrong('enum', 'a list');
  // Draft 3 and some generators write `required: true` inside a property; it has no meaning.
  if (has('required') && !isListOfTexts(schema['required'])) return wrong('required', 'a list of names');
  const { pattern } = schema;
  if (typeof pattern === 'string' && !isCompilablePattern(pattern)) return wrong('pattern', 'a regular expression');
  const map = schema['patternProperties'];
  if (isJsonObject(map) && !Object.keys(map).every(isCompilablePattern))
    return wrong('patternProperties', 'regular expressions');
  return undefined;
}

function findReferenceProblem(schema: JsonObject): string | undefined {
  const lost = new References(schema, new Steps(referenceSteps)).findBrokenReference();
  if (lost === null) return 'it has too many references';
  return lost === undefined ? undefined : `the reference ${lost} leads nowhere`;
}

function isCompilablePattern(pattern: string): boolean {
  return ['u', 'v', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}

/** Returns the first problem of an input schema; arguments are an object, whether the schema says so or not. */
export function inputSchemaProblem(schema: JsonObject): string | undefined {
  const { type } = schema;
  const takesObjects = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  return takesObjects ? outputSchemaProblem(schema) : '#: the type is not "object"';
}

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
const isNonNegativeInteger = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;
const namesJsonTypes = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((each) => typeof each === 'string' && types.has(each))
    : typeof value === 'string' && types.has(value);
