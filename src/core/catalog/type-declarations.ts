import { z } from 'zod';
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

const schemas = z.record(z.string(), z.unknown());
const schemaForm = z.looseObject({
  $ref: z.string().optional().catch(undefined),
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  enum: z.array(z.unknown()).min(1).optional().catch(undefined),
  const: z.unknown().optional(),
  properties: schemas.optional().catch(undefined),
  required: z.array(z.string()).optional().catch(undefined),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional().catch(undefined),
  anyOf: z.array(z.unknown()).min(1).optional().catch(undefined),
  oneOf: z.array(z.unknown()).min(1).optional().catch(undefined),
  allOf: z.array(z.unknown()).min(1).optional().catch(undefined),
  description: z.string().optional().catch(undefined),
});
type SchemaForm = z.infer<typeof schemaForm>;

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

const needsArguments = (schema: unknown): boolean => (parseSchema(schema).required ?? []).length > 0;

/** A comment that its text cannot end; empty without a text. */
const comment = (text: string): string => {
  const line = text.replace(/\s+/gu, ' ').replaceAll('*/', '* /').trim();
  return line === '' ? '' : `/** ${line} */ `;
};

const parseSchema = (schema: unknown): SchemaForm => schemaForm.safeParse(schema).data ?? {};

/** Writes the type of a JSON Schema. What cannot be said in a type, such as a pattern, is left out. */
function typeOfSchema(schema: unknown, place: Place): string {
  place.left.count -= 1;
  if (place.depth > deepest || place.left.count < 0) return 'unknown';
  const own = parseSchema(schema);
  if (own.$ref !== undefined) {
    const target = findLocalSchema(place.root, own.$ref);
    return target === undefined ? 'unknown' : typeOfSchema(target, { ...place, depth: place.depth + 1 });
  }
  if (own.const !== undefined) return literalType(own.const);
  if (own.enum !== undefined) return unionOf(own.enum.map(literalType));
  const alternatives = own.anyOf ?? own.oneOf;
  if (alternatives !== undefined && own.properties === undefined)
    return unionOf(alternatives.map((each) => typeOfSchema(each, { ...place, depth: place.depth + 1 })));
  const types = own.type === undefined ? [] : [own.type].flat();
  if (types.length > 1) return unionOf(types.map((type) => typeOfKind({ ...own, type }, type, place)));
  const parts = [
    ...(types[0] === undefined && own.properties === undefined ? [] : [typeOfKind(own, types[0] ?? 'object', place)]),
    ...(own.allOf ?? []).map((each) => typeOfSchema(each, { ...place, depth: place.depth + 1 })),
  ].filter((type, at, all) => type !== 'unknown' && all.indexOf(type) === at);
  return parts.length === 0 ? 'unknown' : parts.join(' & ');
}

function typeOfKind(schema: SchemaForm, type: string, place: Place): string {
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'number' || type === 'integer') return 'number';
  const inner = { ...place, depth: place.depth + 1 };
  if (type === 'array') {
    if (schema.prefixItems !== undefined)
      return `[${schema.prefixItems.map((each) => typeOfSchema(each, inner)).join(', ')}]`;
    const item = typeOfSchema(schema.items, inner);
    return / [|&] /u.test(item) ? `(${item})[]` : `${item}[]`;
  }
  return type === 'object' ? typeOfObject(schema, inner) : 'unknown';
}

function typeOfObject(schema: SchemaForm, inner: Place): string {
  const fields = Object.entries(schema.properties ?? {});
  const open = schema.additionalProperties;
  if (fields.length === 0) {
    if (open === false || (open === undefined && schema.properties !== undefined)) return '{}';
    return `{ [name: string]: ${typeof open === 'object' ? typeOfSchema(open, inner) : 'unknown'} }`;
  }
  const required = new Set(schema.required);
  const written = fields.map(([name, field]) => {
    const about = comment(
      [cutDescription(parseSchema(field).description ?? '', fieldDescriptionChars), limitsText(field)].join(' '),
    );
    const key = /^[A-Za-z_$][\w$]*$/u.test(name) ? name : quote(name);
    return `${about}${key}${required.has(name) ? '' : '?'}: ${typeOfSchema(field, inner)}`;
  });
  return `{ ${written.join('; ')} }`;
}

/** What a field's schema says and its type cannot. */
const limitsText = (field: unknown): string => {
  const own = schemas.safeParse(field).data ?? {};
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
    const inside = schemas.safeParse(found);
    if (!inside.success) return undefined;
    found = inside.data[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found;
}
