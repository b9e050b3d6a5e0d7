import { z } from 'zod';

type Node = Record<string, unknown>;

/** Keywords that strict mode does not support; zod checks them after the answer. */
const dropped = new Set(['$schema', 'default', 'minLength', 'maxLength', 'uniqueItems', 'propertyNames']);

/**
 * Returns the JSON schema of an answer in the form of strict structured output: every object closed and all its fields
 * required, `oneOf` as `anyOf`, constants as enums of one. Forms use nullable, never optional.
 */
export function getOrMakeStrictJsonSchema(schema: z.ZodType): Node {
  const made = known.get(schema);
  if (made !== undefined) return made;
  const strict = makeValueStrict(z.toJSONSchema(schema, { io: 'input', reused: 'inline' }));
  const node = isNode(strict) ? strict : {};
  known.set(schema, node);
  return node;
}

/** There are few forms, each requested thousands of times. */
const known = new WeakMap<z.ZodType, Node>();

function makeValueStrict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(makeValueStrict);
  if (!isNode(value)) return value;
  const result: Node = {};
  for (const [key, each] of Object.entries(value)) {
    if (dropped.has(key)) continue;
    if (key === 'properties' && isNode(each)) result[key] = makePropertiesStrict(each);
    else if (key === 'const') result['enum'] = [each];
    else if (key === 'enum') result[key] = each;
    else result[key === 'oneOf' ? 'anyOf' : key] = makeValueStrict(each);
  }
  const { properties } = result;
  if (isNode(properties)) {
    result['required'] = Object.keys(properties);
    result['additionalProperties'] = false;
  }
  return result;
}

/** Under `properties` the keys are names, even if they look like keywords. */
const makePropertiesStrict = (properties: Node): Node =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, makeValueStrict(each)]));

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
