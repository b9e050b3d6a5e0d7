import { z } from 'zod';

const record = z.record(z.string(), z.unknown());

const propertySchema = z.looseObject({
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  enum: z.array(z.unknown()).optional().catch(undefined),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  examples: z.array(z.unknown()).optional().catch(undefined),
  format: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  minimum: z.number().optional().catch(undefined),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional().catch(undefined),
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

/** Reads the part of a JSON schema that the rules use; ignores the rest. */
export const readSchema = (schema: unknown): ArgumentSchema => {
  const top = readProperty(schema);
  return {
    properties: Object.fromEntries(
      Object.entries(top.properties ?? {}).map(([name, property]) => [name, readProperty(property)]),
    ),
    required: top.required ?? [],
  };
};

/** Reads one property; an unusable description counts as empty. */
export const readProperty = (schema: unknown): Property => {
  const parsed = propertySchema.safeParse(schema);
  return parsed.success ? parsed.data : {};
};

/** Returns the JSON types that a property accepts. */
export const typesOf = (property: Property): readonly string[] => {
  if (typeof property.type === 'string') return [property.type];
  if (property.type !== undefined) return property.type;
  return (property.anyOf ?? []).flatMap((option) => typesOf(readProperty(option)));
};

/** Whether the schema itself fixes the value: a default, a constant, or a single choice. */
export const settledBySchema = (property: Property): boolean =>
  property.default !== undefined || property.const !== undefined || property.enum?.length === 1;
