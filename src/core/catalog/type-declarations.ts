import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { cutDescription } from './shown-description.ts';
import { makeFunctionNames } from './function-names.ts';
import type { Tool } from './tool.ts';

/** Nested types that are written out; what lies deeper is `unknown`. A schema may refer to itself. */
const deepest = 6;
/** Characters of the description of one argument or field. */
const fieldDescriptionChars = 160;
/** Schemas that are read for one type; what is left then is `unknown`. */
const mostSchemas = 500;
/** Characters of a type; of a longer one only its kind is written. */
const typeChars = 6_000;

interface Place {
  readonly root: unknown;
  readonly depth: number;
  /** Schemas that may still be read, of all parts of the type together. */
  readonly left: { count: number };
}

const startAt = (root: unknown): Place => ({ root, depth: 0, left: { count: mostSchemas } });

/**
 * Names tools as identifiers of a program: as models call their functions, with `_` in place of `-`. The result depends on the
 * set of tools, not on its order.
 */
export function makeIdentifiersOfTools(tools: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const names = [...makeFunctionNames(tools)].map(([tool, name]): [string, string] => {
    const plain = name.replaceAll('-', '_');
    let own = plain;
    for (let n = 2; taken.has(own); n += 1) own = `${plain}_${n}`;
    taken.add(own);
    return [tool, own];
  });
  return new Map(names);
}

/**
 * Returns what a program has to know about a tool on one line, in the words of TypeScript: its description, and the types of its
 * arguments and of what it resolves to, which is `unknown` without a schema. Types have no `<` and no `"`, which prompts escape.
 */
export function declareTool({ description, inputSchema, outputSchema }: Tool, identifier: string): string {
  const about = comment(cutDescription(description ?? ''));
  const given = shortenType(typeOfSchema(inputSchema, startAt(inputSchema)), '{ [name: string]: unknown }');
  const args = given === '{}' ? '' : `args${needsArguments(inputSchema) ? '' : '?'}: ${given}`;
  const result = outputSchema === undefined ? 'unknown' : typeOfSchema(outputSchema, startAt(outputSchema));
  return `${about}${identifier}(${args}): ${shortenType(result, 'unknown')}`;
}

const shortenType = (type: string, instead: string): string => (type.length <= typeChars ? type : instead);

const needsArguments = (schema: unknown): boolean => textsIn(keywordOf(schema, 'required')).length > 0;

const keywordOf = (schema: unknown, keyword: string): unknown => (isJsonObject(schema) ? schema[keyword] : undefined);

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');

/** Returns a keyword's list; undefined if it is none, or empty. */
const listOf = (schema: JsonObject, keyword: string): readonly unknown[] | undefined => {
  const value = schema[keyword];
  return Array.isArray(value) && value.length > 0 ? value : undefined;
};

/** A comment that its text cannot end; empty without a text. */
const comment = (text: string): string => {
  const line = text.replace(/\s+/gu, ' ').replaceAll('*/', '* /').trim();
  return line === '' ? '' : `/** ${line} */ `;
};

/** Writes the type of a JSON Schema. What cannot be said in a type, such as a pattern, is left out. */
function typeOfSchema(schema: unknown, place: Place): string {
  place.left.count -= 1;
  if (place.depth > deepest || place.left.count < 0 || !isJsonObject(schema)) return 'unknown';
  const inner = { ...place, depth: place.depth + 1 };
  const reference = schema['$ref'];
  if (typeof reference === 'string') return typeOfSchema(findLocalSchema(place.root, reference), inner);
  if (schema['const'] !== undefined) return literalType(schema['const']);
  const values = listOf(schema, 'enum');
  if (values !== undefined) return unionOf(values.map(literalType));
  const hasFields = isJsonObject(schema['properties']);
  const alternatives = listOf(schema, 'anyOf') ?? listOf(schema, 'oneOf');
  if (alternatives !== undefined && !hasFields) return unionOf(alternatives.map((each) => typeOfSchema(each, inner)));
  const types = textsIn(schema['type']);
  if (types.length > 1) return unionOf(types.map((type) => typeOfKind(schema, type, place)));
  const [type = hasFields ? 'object' : undefined] = types;
  const parts = [
    ...(type === undefined ? [] : [typeOfKind(schema, type, place)]),
    ...(listOf(schema, 'allOf') ?? []).map((each) => typeOfSchema(each, inner)),
  ].filter((part, at, all) => part !== 'unknown' && all.indexOf(part) === at);
  return parts.length === 0 ? 'unknown' : parts.join(' & ');
}

function typeOfKind(schema: JsonObject, type: string, place: Place): string {
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'number' || type === 'integer') return 'number';
  const inner = { ...place, depth: place.depth + 1 };
  if (type === 'array') {
    const places = listOf(schema, 'prefixItems');
    if (places !== undefined) return `[${places.map((each) => typeOfSchema(each, inner)).join(', ')}]`;
    const item = typeOfSchema(schema['items'], inner);
    return / [|&] /u.test(item) ? `(${item})[]` : `${item}[]`;
  }
  return type === 'object' ? typeOfObject(schema, inner) : 'unknown';
}

function typeOfObject(schema: JsonObject, inner: Place): string {
  const properties = schema['properties'];
  const fields = isJsonObject(properties) ? Object.entries(properties) : [];
  const open = schema['additionalProperties'];
  if (fields.length === 0) {
    if (open === false || (open === undefined && isJsonObject(properties))) return '{}';
    return `{ [name: string]: ${isJsonObject(open) ? typeOfSchema(open, inner) : 'unknown'} }`;
  }
  const required = new Set(textsIn(schema['required']));
  const written: string[] = [];
  for (const [name, field] of fields) {
    if (inner.left.count < 0) break;
    const description = keywordOf(field, 'description');
    const about = typeof description === 'string' ? cutDescription(description, fieldDescriptionChars) : '';
    const key = /^[A-Za-z_$][\w$]*$/u.test(name) ? name : quote(name);
    const type = typeOfSchema(field, inner);
    written.push(`${comment([about, limitsText(field)].join(' '))}${key}${required.has(name) ? '' : '?'}: ${type}`);
  }
  // What is left out may be there all the same.
  if (written.length < fields.length) written.push('[name: string]: unknown');
  return `{ ${written.join('; ')} }`;
}

/** What a field's schema says and its type cannot. */
const limitsText = (field: unknown): string => {
  const own = isJsonObject(field) ? field : {};
  const said = ['default', 'minimum', 'maximum', 'format', 'pattern'].flatMap((keyword) => {
    const text = own[keyword] === undefined ? 'unknown' : literalType(own[keyword]);
    return text === 'unknown' || text.length > fieldDescriptionChars ? [] : [`${keyword} ${text}`];
  });
  return said.length === 0 ? '' : `(${said.join(', ')})`;
};

const literalType = (value: unknown): string => {
  if (typeof value === 'string') return quote(value);
  return typeof value === 'object' && value !== null ? 'unknown' : String(value);
};

/** Writes a text between single quotes. */
const quote = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const unionOf = (types: readonly string[]): string =>
  types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');

/** Follows a reference inside a schema, such as `#/$defs/city`; undefined for all others. */
function findLocalSchema(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let found = root;
  for (const part of reference.slice(2).split('/')) {
    found = keywordOf(found, part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return found;
}
