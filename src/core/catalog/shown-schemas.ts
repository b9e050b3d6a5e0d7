type Schema = Readonly<Record<string, unknown>>;

/** Returns a tool's schema as models see it: without `$schema`, which names a dialect and says nothing of the arguments. */
export function schemaWithoutDialect(schema: Schema): Schema {
  const { $schema: _, ...rest } = schema;
  return rest;
}

/** Keywords whose values are schemas by name, one schema, and lists of schemas. */
const byName = ['properties', '$defs', 'definitions'];
const single = ['items', 'additionalProperties'];
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];

/**
 * Returns what a schema of results says about names and types, without descriptions, limits, examples and lists of
 * required fields: who plans calls needs to know which fields there are, and nothing is checked against it.
 */
export function schemaOfNamesAndTypesOnly(schema: Schema): Schema {
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'type' || keyword === '$ref') kept[keyword] = value;
    else if (byName.includes(keyword) && isSchema(value))
      kept[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, namesAndTypesIfSchema(each)]),
      );
    else if (single.includes(keyword) && isSchema(value)) kept[keyword] = schemaOfNamesAndTypesOnly(value);
    else if (lists.includes(keyword) && Array.isArray(value)) kept[keyword] = value.map(namesAndTypesIfSchema);
  }
  return kept;
}

const namesAndTypesIfSchema = (value: unknown): unknown => (isSchema(value) ? schemaOfNamesAndTypesOnly(value) : value);

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
