const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns what Gemini's `Schema` says, as a JSON schema. */
export function readGeminiSchema(schema: unknown): Record<string, unknown> {
  if (!isObject(schema)) throw new Error('a schema is an object');
  const { nullable, properties, items, anyOf, ...rest } = schema;
  const read = {
    ...rest,
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, readGeminiSchema(each)]),
          ),
        }
      : {}),
    ...(items === undefined ? {} : { items: readGeminiSchema(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(readGeminiSchema) } : {}),
  };
  return nullable === true ? { anyOf: [{ type: 'null' }, read] } : read;
}
