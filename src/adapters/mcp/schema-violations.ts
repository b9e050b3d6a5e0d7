import { Validator, type Schema, type SchemaDraft } from '@cfworker/json-schema';

/**
 * What a tool's schema has against a value, a line each; empty where it fits. Null where the schema cannot be applied (a
 * pattern in another dialect): that proves nothing about the value.
 */
export function schemaViolations(schema: Readonly<Record<string, unknown>>, value: unknown): readonly string[] | null {
  try {
    // The validator writes into the schema that it is given.
    const own: Schema = structuredClone(schema);
    const { valid, errors } = new Validator(own, draftOf(schema)).validate(value);
    return valid ? [] : errors.map((error) => `${error.instanceLocation}: ${error.error}`);
  } catch {
    return null;
  }
}

/** The draft that a schema names; MCP's default is 2020-12. */
function draftOf(schema: Readonly<Record<string, unknown>>): SchemaDraft {
  const named = schema['$schema'];
  if (typeof named !== 'string') return '2020-12';
  if (named.includes('draft-04')) return '4';
  if (named.includes('draft-06') || named.includes('draft-07')) return '7';
  return named.includes('2019-09') ? '2019-09' : '2020-12';
}
