import { Validator, type Schema } from '@cfworker/json-schema';
import published from '../fixtures/inspect-ai/eval-log.schema.json' with { type: 'json' };

/** The published schema, which in addition refuses fields that it does not know: a misspelt optional field would pass otherwise. */
function schemaWithKnownFieldsOnly(): Schema {
  const named = Object.entries(published.$defs).map(([name, definition]) => [
    name,
    'properties' in definition ? { ...definition, additionalProperties: false } : definition,
  ]);
  return { ...published, $defs: Object.fromEntries(named) };
}

/** Returns in what a log is not valid by the published schema. */
export const complaintsOfInspectSchema = (log: unknown): string[] =>
  new Validator(schemaWithKnownFieldsOnly(), '2020-12', false)
    .validate(log)
    .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
