import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { isJsonObject, arrayOrEmpty, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { compilePattern } from '#core/values/json-schema/pattern.ts';
import type { Steps } from '#core/values/json-schema/steps.ts';

/** How a call's arguments relate to the tool's input schema. */
export interface ArgumentCheck {
  /** Null if that could not be decided. */
  readonly violatesSchema: boolean | null;
  /** Top-level keys of the arguments that the schema does not name; none if it leaves open which keys there are. */
  readonly unknownKeys: readonly string[];
}

/** Checks the arguments of a call against the tool's input schema, within a number of steps. */
export function compareArgumentsWithSchema(inputSchema: JsonObject, args: JsonObject, steps: Steps): ArgumentCheck {
  const { verdict } = checkValueAgainstSchema(inputSchema, args, steps);
  return {
    violatesSchema: verdict === 'undecided' ? null : verdict === 'violates',
    unknownKeys: listTopLevelKeysUnknownToSchema(inputSchema, args, steps),
  };
}

function listTopLevelKeysUnknownToSchema(schema: JsonObject, args: JsonObject, steps: Steps): readonly string[] {
  const parts = listSchemaWithInPlaceSubschemas(schema, steps);
  // If a part is missing, a key that it names would look unknown.
  if (!steps.tryTake(0)) return [];
  if (!parts.some((part) => isJsonObject(part['properties'])) || parts.some(explicitlyAllowsOtherKeys)) return [];
  const patterns = parts.flatMap(({ patternProperties: map }) => (isJsonObject(map) ? Object.keys(map) : []));
  const compiled = patterns.map((source) => compilePattern(source, steps));
  const named = new Set(parts.flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : [])));
  // A pattern that cannot be matched may allow any key.
  const mayMean = (key: string): boolean => compiled.some((pattern) => pattern?.hasMatch(key, steps) !== false);
  return Object.keys(args).filter((key) => !named.has(key) && !mayMean(key));
}

/** Returns the schema with those that it applies to the same object. */
function listSchemaWithInPlaceSubschemas(schema: JsonObject, steps: Steps): JsonObject[] {
  if (!steps.tryTake()) return [];
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => arrayOrEmpty(schema[keyword]));
  const inner = [...lists, schema['if'], schema['then'], schema['else']].filter(isJsonObject);
  return [schema, ...inner.flatMap((part) => listSchemaWithInPlaceSubschemas(part, steps))];
}

/** Returns whether a schema defines elsewhere, or deliberately leaves open, which keys there are. */
const explicitlyAllowsOtherKeys = ({ $ref, additionalProperties: others }: JsonObject): boolean =>
  $ref !== undefined || others === true || isJsonObject(others);
