import { z } from 'zod';

type Check = (value: unknown) => boolean;

/**
 * Compiles a schema into a check that makes no copy. Workers have no `eval`, so zod interprets a schema and copies
 * every value, which dominates time and memory when many of our own rows are read. Unlike `parse`, it keeps unknown
 * keys.
 */
export function compileSchemaCheck<T>(schema: z.ZodType<T, T>): (value: unknown) => value is T {
  const holds = makeCheckForSchema(schema);
  return (value): value is T => holds(value);
}

function makeCheckForSchema(schema: z.core.$ZodType): Check {
  if (hasRulesBeyondType(schema)) return makeParsingCheck(schema);
  if (schema instanceof z.ZodObject) return makeObjectCheck(schema);
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodString) return makeRecordCheck(schema);
  if (schema instanceof z.ZodReadonly) return makeCheckForSchema(schema.unwrap());
  if (schema instanceof z.ZodNull) return (value) => value === null;
  if (schema instanceof z.ZodArray) {
    const holds = makeCheckForSchema(schema.element);
    return (value) => Array.isArray(value) && value.every(holds);
  }
  if (schema instanceof z.ZodNullable) {
    const holds = makeCheckForSchema(schema.unwrap());
    return (value) => value === null || holds(value);
  }
  if (schema instanceof z.ZodOptional) {
    const holds = makeCheckForSchema(schema.unwrap());
    return (value) => value === undefined || holds(value);
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map(makeCheckForSchema);
    return (value) => options.some((holds) => holds(value));
  }
  if (schema instanceof z.ZodEnum) {
    const options = new Set<unknown>(schema.options);
    return (value) => options.has(value);
  }
  if (schema instanceof z.ZodLiteral) {
    const values = new Set<unknown>(schema.values);
    return (value) => values.has(value);
  }
  if (schema instanceof z.ZodString) return (value) => typeof value === 'string';
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean';
  if (schema instanceof z.ZodNumber) return makeNumberCheck(schema);
  return makeParsingCheck(schema);
}

function makeRecordCheck({ keyType, valueType }: z.ZodRecord): Check {
  const [isKey, isValue] = [makeCheckForSchema(keyType), makeCheckForSchema(valueType)];
  return (value) => isPlainObject(value) && Object.entries(value).every(([key, held]) => isKey(key) && isValue(held));
}

const makeNumberCheck = (schema: z.ZodNumber): Check => {
  switch (schema.format) {
    case null:
      return Number.isFinite;
    case 'safeint':
      return Number.isSafeInteger;
    default:
      return makeParsingCheck(schema);
  }
};

function makeObjectCheck({ shape }: z.ZodObject): Check {
  const fields = Object.entries(shape).map(([key, schema]) => [key, makeCheckForSchema(schema)] as const);
  return (value) => isPlainObject(value) && fields.every(([key, holds]) => holds(Reflect.get(value, key)));
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether a schema requires more of a value than its type: a length, a bound, a pattern, no unknown keys. */
const hasRulesBeyondType = (schema: z.core.$ZodType): boolean =>
  (schema._zod.def.checks?.length ?? 0) > 0 || (schema instanceof z.ZodObject && schema.def.catchall !== undefined);

const makeParsingCheck =
  (schema: z.core.$ZodType): Check =>
  (value) =>
    z.safeParse(schema, value).success;
