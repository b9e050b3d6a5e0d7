import { arrayOrEmpty } from '#core/values/json-schema/json-object.ts';

/** A JSON Schema that is an object. */
export type Schema = Readonly<Record<string, unknown>>;

/** `unknown`: the schema says neither yes nor no. */
export type Verdict = 'yes' | 'no' | 'unknown';

/** Returns the properties that a schema requires at its top level, in its order, including parts of `allOf`. */
export const listRequiredTopLevelNames = (inputSchema: Schema, root: Schema = inputSchema): string[] => [
  ...new Set(
    listSchemaWithRefsAndAllOfParts(inputSchema, root).flatMap(({ required }) =>
      Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    ),
  ),
];

/** Returns the names of the properties at a schema's top level, and of those that no part of their schema describes in words. */
export function listTopLevelNamesAndUndescribed(inputSchema: Schema): { names: string[]; undescribed: string[] } {
  const described = new Map<string, boolean>();
  for (const { properties } of listSchemaWithRefsAndAllOfParts(inputSchema, inputSchema))
    if (isSchema(properties))
      for (const [name, property] of Object.entries(properties))
        described.set(name, described.get(name) === true || isDescribedInWords(property, inputSchema));
  return {
    names: [...described.keys()],
    undescribed: [...described].flatMap(([name, isDescribed]) => (isDescribed ? [] : [name])),
  };
}

const isDescribedInWords = (property: unknown, root: Schema): boolean =>
  isSchema(property) &&
  listSchemaWithRefsAndAllOfParts(property, root).some(
    ({ description }) => typeof description === 'string' && description.trim() !== '',
  );

/** Returns whether a property's schema itself gives its value: a default, a const, or an enum with a single value. */
export const hasFixedOrDefaultValue = (property: Schema, root: Schema): boolean =>
  listSchemaWithRefsAndAllOfParts(property, root).some(
    (part) => 'default' in part || 'const' in part || (Array.isArray(part['enum']) && part['enum'].length === 1),
  );

/**
 * Returns whether values of an output schema have a field, given as a path such as `results[0].name`, `results.name` or
 * `$.total`. Array steps may be omitted. A field that the schema does not name is a no; it is unknown if the schema has
 * an explicit `additionalProperties` or says nothing about fields.
 */
export const hasFieldVerdict = (outputSchema: Schema, path: string): Verdict =>
  hasPathVerdict(outputSchema, { root: outputSchema, seen: new Map() }, splitFieldPathIntoSteps(path));

const splitFieldPathIntoSteps = (path: string): string[] =>
  path
    .replace(/^\$\.?/, '')
    .split(/[.[\]]/)
    .map((step) => step.replace(/^(["'])(.*)\1$/, '$2').trim())
    .filter((step) => step !== '');

const itemStep = /^(\d+|\*|-1)$/;

interface Walk {
  readonly root: Schema;
  /**
   * Remembers where the walk has been and with how many steps left, because a schema may refer to itself in many ways.
   */
  readonly seen: Map<Schema, Set<number>>;
}

const hasPathVerdict = (schema: unknown, on: Walk, steps: readonly string[]): Verdict => {
  const [step, ...rest] = steps;
  if (step === undefined) return 'yes';
  if (schema === false) return 'no';
  if (!isSchema(schema)) return 'unknown';
  // The best verdict of all branches counts, so a verdict that was already seen need not be computed again.
  if (!recordVisitIfFirst(on, schema, steps.length)) return 'no';
  const verdicts: Verdict[] = [];
  const reference = schema['$ref'];
  if (typeof reference === 'string')
    verdicts.push(hasPathVerdict(resolveLocalReference(on.root, reference), on, steps));
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const branches = schema[key];
    if (Array.isArray(branches)) for (const branch of branches) verdicts.push(hasPathVerdict(branch, on, steps));
  }
  if (isListSchema(schema)) verdicts.push(itemsHavePathVerdict(schema, on, steps));
  const properties = schema['properties'];
  if (isSchema(properties)) {
    const property = getOwnProperty(properties, step);
    if (property !== undefined) verdicts.push(hasPathVerdict(property, on, rest));
  }
  const others = schema['additionalProperties'];
  // Only the data knows which keys a map has.
  if (others === true || isSchema(others) || isSchema(schema['patternProperties'])) verdicts.push('unknown');
  if (verdicts.length > 0) return bestVerdict(verdicts);
  // If the schema says nothing about fields, an open object or any value may have them; a plain string or number has
  // none.
  const closed = isSchema(properties) || others === false || isScalarType(schema['type']);
  return closed ? 'no' : 'unknown';
};

const recordVisitIfFirst = ({ seen }: Walk, schema: Schema, stepsLeft: number): boolean => {
  const visits = seen.get(schema);
  if (visits?.has(stepsLeft)) return false;
  if (visits) visits.add(stepsLeft);
  else seen.set(schema, new Set([stepsLeft]));
  return true;
};

const isListSchema = (schema: Schema): boolean =>
  schema['type'] === 'array' || 'items' in schema || Array.isArray(schema['prefixItems']);

const itemsHavePathVerdict = (schema: Schema, on: Walk, steps: readonly string[]): Verdict => {
  const inside = itemStep.test(steps[0] ?? '') ? steps.slice(1) : steps;
  const tuple: readonly unknown[] = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  const items = 'items' in schema ? [...tuple, schema['items']] : tuple;
  return items.length === 0 ? 'unknown' : bestVerdict(items.map((item) => hasPathVerdict(item, on, inside)));
};

const bestVerdict = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.includes('yes') ? 'yes' : verdicts.includes('unknown') ? 'unknown' : 'no';

const isScalarType = (type: unknown): boolean =>
  type === 'string' || type === 'number' || type === 'integer' || type === 'boolean' || type === 'null';

/** Returns a schema with its references and all parts of its `allOf`, flat and each once. */
export const listSchemaWithRefsAndAllOfParts = (schema: Schema, root: Schema): Schema[] => {
  const found = new Set<Schema>([schema]);
  // Iterating over a set also visits items that are added meanwhile.
  for (const part of found) {
    const reference = part['$ref'];
    const target = typeof reference === 'string' ? resolveLocalReference(root, reference) : undefined;
    if (isSchema(target)) found.add(target);
    const all: readonly unknown[] = Array.isArray(part['allOf']) ? part['allOf'] : [];
    for (const other of all) if (isSchema(other)) found.add(other);
  }
  return [...found];
};

/** Returns the alternatives that parts of a schema name by `anyOf` and `oneOf`, as they are written. */
export const listAlternatives = (parts: readonly Schema[]): Schema[] =>
  parts.flatMap(({ anyOf, oneOf }) => [...arrayOrEmpty(anyOf), ...arrayOrEmpty(oneOf)]).filter(isSchema);

/** Returns the target of a reference inside the document (`#/...`); undefined for any other reference. */
export const resolveLocalReference = (root: Schema, reference: string): unknown => {
  if (!reference.startsWith('#')) return undefined;
  let value: unknown = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    if (!isSchema(value)) return undefined;
    value = getOwnProperty(value, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return value;
};

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const getOwnProperty = (object: Schema, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;
