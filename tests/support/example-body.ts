import { z } from 'zod';

const operation = z.looseObject({
  requestBody: z
    .looseObject({
      content: z.record(z.string(), z.looseObject({ schema: z.unknown() })),
    })
    .optional(),
});
const schemaPart = z.looseObject({
  $ref: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  /** The first of several types. */
  type: z.union([z.string(), z.array(z.string()).transform(([first]) => first)]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  minLength: z.int().optional(),
  minItems: z.int().optional(),
  items: z.unknown().optional(),
});

/** The parts of the OpenAPI document from which bodies can be generated. */
export const describedApi = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
type DescribedApi = z.infer<typeof describedApi>;

/** Generates the smallest JSON body that an operation accepts; undefined if it takes none, or any. */
export function exampleBody(api: DescribedApi, method: string, path: string): unknown {
  const schema = api.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema;
  return schema === undefined ? undefined : exampleOf(api, schema);
}

function exampleOf(api: DescribedApi, given: unknown): unknown {
  const {
    $ref,
    const: sole,
    enum: values,
    anyOf,
    oneOf,
    type,
    properties = {},
    required = [],
    minimum,
    minLength,
    minItems = 0,
    items,
  } = schemaPart.parse(given);
  if ($ref !== undefined) return exampleOf(api, api.components.schemas[$ref.split('/').at(-1) ?? '']);
  if (sole !== undefined) return sole;
  if (values !== undefined) return values[0];
  const [choice] = anyOf ?? oneOf ?? [];
  if (choice !== undefined) return exampleOf(api, choice);
  switch (type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, exampleOf(api, properties[name])]));
    case 'string':
      return 'x'.repeat(Math.max(1, minLength ?? 0));
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: minItems }, () => exampleOf(api, items));
    default:
      return undefined;
  }
}
