import { z } from 'zod';

const record = z.record(z.string(), z.unknown());
const number = z.number().optional().catch(undefined);
const list = z.array(z.unknown()).optional().catch(undefined);

const propertySchema = z.looseObject({
  $ref: z.string().optional().catch(undefined),
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  enum: list,
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  examples: list,
  format: z.string().optional().catch(undefined),
  pattern: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  minLength: number,
  maxLength: number,
  minItems: number,
  maxItems: number,
  items: z.unknown().optional(),
  anyOf: list,
  oneOf: list,
  allOf: list,
  properties: record.optional().catch(undefined),
  required: z.array(z.string()).optional().catch(undefined),
});

/** What a rule needs to know about one property of a tool's arguments. */
export type Property = z.infer<typeof propertySchema>;

/** A tool's arguments as its JSON schema describes them. */
export interface ArgumentSchema {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

/** References that are followed inside each other; a schema may refer to itself. */
const deepest = 4;

/** Reads the part of a JSON schema that the rules use, its references and first alternatives in place; ignores the rest. */
export const parseArgumentSchema = (schema: unknown): ArgumentSchema => {
  const top = resolveProperty(schema, schema, 0);
  return {
    properties: Object.fromEntries(
      Object.entries(top.properties ?? {}).map(([name, property]) => [name, resolveProperty(property, schema, 0)]),
    ),
    required: top.required ?? [],
  };
};

/** Reads one property; an unusable description counts as empty. */
export const parsePropertySchema = (schema: unknown): Property => {
  const parsed = propertySchema.safeParse(schema);
  return parsed.success ? parsed.data : {};
};

/** Returns a property with what it refers to, all parts of `allOf`, and the first alternative that is not null. */
const resolveProperty = (schema: unknown, root: unknown, depth: number): Property => {
  const own = parsePropertySchema(schema);
  if (depth > deepest) return own;
  const target = own.$ref === undefined ? undefined : resolveLocalReference(root, own.$ref);
  const [alternative] = [...(own.oneOf ?? []), ...(own.anyOf ?? [])].filter(
    (one) => parsePropertySchema(one).type !== 'null',
  );
  const parts = [target, ...(own.allOf ?? []), alternative].filter((part) => part !== undefined);
  const merged = parts.map((part) => resolveProperty(part, root, depth + 1)).reduce(mergeProperties, own);
  const inner = Object.entries(merged.properties ?? {}).map(([name, each]) => [
    name,
    resolveProperty(each, root, depth + 1),
  ]);
  return {
    ...merged,
    ...(merged.properties === undefined ? {} : { properties: Object.fromEntries(inner) }),
    ...(merged.items === undefined ? {} : { items: resolveProperty(merged.items, root, depth + 1) }),
  };
};

const mergeProperties = (one: Property, other: Property): Property => ({
  ...other,
  ...one,
  ...(one.properties === undefined && other.properties === undefined
    ? {}
    : { properties: { ...other.properties, ...one.properties } }),
  ...(one.required === undefined && other.required === undefined
    ? {}
    : { required: [...new Set([...(one.required ?? []), ...(other.required ?? [])])] }),
});

const resolveLocalReference = (root: unknown, reference: string): unknown => {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .reduce((value: unknown, step) => {
      const parsed = record.safeParse(value);
      return parsed.success ? parsed.data[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
    }, root);
};

/** Returns the JSON types that a property accepts. */
export const listJsonTypes = (property: Property): readonly string[] => {
  if (typeof property.type === 'string') return [property.type];
  if (property.type !== undefined) return property.type;
  return [...(property.anyOf ?? []), ...(property.oneOf ?? [])].flatMap((option) =>
    listJsonTypes(parsePropertySchema(option)),
  );
};

/** Whether the schema itself fixes the value: a default, a constant, or a single choice. */
export const hasValueFixedBySchema = (property: Property): boolean =>
  property.default !== undefined || property.const !== undefined || property.enum?.length === 1;
