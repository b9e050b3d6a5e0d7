import {
  isSchema,
  getOwnProperty,
  listRequiredTopLevelNames,
  listSchemaWithRefsAndAllOfParts,
  type Schema,
} from './schema-fields.ts';

/** An argument of a tool, or a field inside of one, with its schema. */
export interface Argument {
  /** Its path, such as `filter.city`; `[]` stands for the items of a list, as in `items[].name`. */
  readonly path: string;
  /** Empty if the input schema does not describe it. */
  readonly schema: Schema;
}

/** An argument with the fields that its own schema requires inside of it. */
export interface RequiredArgument extends Argument {
  readonly inner: readonly RequiredArgument[];
}

/** How deep required fields are followed, and how many there may be: a schema may refer to itself. */
const maxDepth = 4;
const mostFields = 60;

/** Returns the arguments that an input schema requires, with those that are required inside of objects and lists. */
export function listRequiredArguments(inputSchema: Schema): RequiredArgument[] {
  let fields = 0;
  const requiredIn = (schema: Schema, path: string, depth: number): RequiredArgument[] => {
    if (depth > maxDepth) return [];
    const own = listRequiredTopLevelNames(schema, inputSchema).flatMap((name): RequiredArgument[] => {
      fields += 1;
      if (depth > 0 && fields > mostFields) return [];
      const inside = path === '' ? name : `${path}.${name}`;
      const property = schemaOfPropertyOrEmpty(schema, name, inputSchema);
      return [{ path: inside, schema: property, inner: requiredIn(property, inside, depth + 1) }];
    });
    const items = depth === 0 ? null : getItemsSchemaOrNull(schema, inputSchema);
    return items === null ? own : [...own, ...requiredIn(items, `${path}[]`, depth + 1)];
  };
  return requiredIn(inputSchema, '', 0);
}

/**
 * Returns the argument that a path names, for instance `items[0].name`, `items.name` or `$.items[].name`: the name of the
 * top-level argument, the path in the form of `Argument`, and the schema. A name of the top level may have dots.
 */
export function resolveArgumentPath(inputSchema: Schema, path: string): Argument & { readonly top: string } {
  const isTop = listSchemaWithRefsAndAllOfParts(inputSchema, inputSchema).some(
    ({ properties, required }) =>
      (isSchema(properties) && Object.hasOwn(properties, path)) || (Array.isArray(required) && required.includes(path)),
  );
  const [top = path, ...rest] = isTop ? [path] : (path.replace(/^\$\.?/, '').match(/[^.[\]]+|\[[^\]]*\]/g) ?? []);
  let found: Argument = { path: top, schema: schemaOfPropertyOrEmpty(inputSchema, top, inputSchema) };
  for (const step of rest) {
    const items = getItemsSchemaOrNull(found.schema, inputSchema);
    const isItem = /^(?:\[\d*\*?\]|\d+)$/.test(step);
    if ((items !== null || isItem) && !found.path.endsWith('[]'))
      found = { path: `${found.path}[]`, schema: items ?? {} };
    if (isItem) continue;
    const name = step.replace(/^\[["']?|["']?\]$/g, '');
    found = { path: `${found.path}.${name}`, schema: schemaOfPropertyOrEmpty(found.schema, name, inputSchema) };
  }
  return { top, ...found };
}

/** Returns the schema of a property; an empty one if it is not described. */
function schemaOfPropertyOrEmpty(schema: Schema, name: string, root: Schema): Schema {
  const described = listSchemaWithRefsAndAllOfParts(schema, root).flatMap(({ properties }): Schema[] => {
    const property = isSchema(properties) ? getOwnProperty(properties, name) : undefined;
    return isSchema(property) ? [property] : [];
  });
  const [only] = described;
  return described.length > 1 ? { allOf: described } : (only ?? {});
}

/** Returns the schema of a list's items; null if it is no list, or the items are not described. */
function getItemsSchemaOrNull(schema: Schema, root: Schema): Schema | null {
  for (const { items } of listSchemaWithRefsAndAllOfParts(schema, root)) if (isSchema(items)) return items;
  return null;
}
