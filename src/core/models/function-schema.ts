type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The keywords that Gemini's function declarations take (`Schema` of its API). `const`, lists of types and `oneOf` are
 * written with them; the rest only narrows what the server checks itself.
 */
const kept: ReadonlySet<string> = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'maxItems',
  'minItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'anyOf',
  'items',
  'minimum',
  'maximum',
]);

/** What is deeper, or beyond this many subschemas, is cut: a schema that refers to itself would never end. */
const deepest = 12;
const mostNodes = 5_000;

/** What the references of one schema point to, and how many subschemas may still be written. */
interface Writing {
  readonly definitions: Node;
  left: number;
}

/**
 * Returns a function's parameters in the part of JSON schema that Gemini's function declarations take: references are
 * inlined, `const` becomes `enum`, a list of types becomes one type that may be null or `anyOf`, other keywords are left out.
 * The server still checks the whole schema.
 */
export function writeGeminiSchema(schema: Node): Node {
  const definitions = { ...asNode(schema['definitions']), ...asNode(schema['$defs']) };
  const written = writeNode(schema, { definitions, left: mostNodes }, 0);
  return { ...written, type: 'object', properties: asNode(written['properties']) };
}

const asNode = (value: unknown): Node => (isNode(value) ? value : {});

function writeNode(node: Node, writing: Writing, depth: number): Node {
  writing.left -= 1;
  if (depth > deepest || writing.left < 0) return {};
  const target = findReferenced(node, writing.definitions);
  if (target !== undefined) {
    const { $ref: _, ...beside } = node;
    return writeNode({ ...target, ...beside }, writing, depth + 1);
  }
  const write = (value: unknown): Node => writeNode(asNode(value), writing, depth + 1);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'const') Object.assign(result, writeEnum([value]));
    else if (key === 'enum' && Array.isArray(value)) Object.assign(result, writeEnum(value));
    else if (key === 'type' && Array.isArray(value)) Object.assign(result, writeTypes(value));
    else if ((key === 'anyOf' || key === 'oneOf') && Array.isArray(value)) result['anyOf'] = value.map(write);
    else if (key === 'properties')
      result[key] = Object.fromEntries(Object.entries(asNode(value)).map(([name, each]) => [name, write(each)]));
    else if (key === 'items') result[key] = isNode(value) ? write(value) : {};
    else if (kept.has(key) && !(key in result)) result[key] = value;
  }
  if (result['type'] === 'array' && !('items' in result)) result['items'] = {};
  return result;
}

function findReferenced(node: Node, definitions: Node): Node | undefined {
  const { $ref: ref } = node;
  if (typeof ref !== 'string') return undefined;
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(ref)?.[1];
  const target = name === undefined ? undefined : definitions[name];
  return isNode(target) ? target : {};
}

/** Only texts may be enumerated. */
const writeEnum = (values: readonly unknown[]): Node =>
  values.every((value) => typeof value === 'string') ? { type: 'string', enum: values } : {};

function writeTypes(types: readonly unknown[]): Node {
  const others = types.filter((type) => type !== 'null');
  const nullable = others.length < types.length ? { nullable: true } : {};
  const [only] = others;
  return others.length === 1 ? { type: only, ...nullable } : { anyOf: others.map((type) => ({ type })), ...nullable };
}
