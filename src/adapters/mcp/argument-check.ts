import { schemaViolations } from './schema-violations.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a call's arguments stand to the tool's input schema. */
export interface ArgumentCheck {
  /** Null where the schema cannot be applied. */
  readonly violatesSchema: boolean | null;
  /** Keys of the arguments' top level that the schema does not name; none where it leaves open which keys there are. */
  readonly unknownKeys: readonly string[];
}

/** Holds the arguments of a call against the tool's input schema. */
export function checkArguments(inputSchema: Fields, args: Fields): ArgumentCheck {
  const violations = schemaViolations(inputSchema, args);
  return {
    violatesSchema: violations === null ? null : violations.length > 0,
    unknownKeys: unknownKeys(inputSchema, args),
  };
}

function unknownKeys(schema: Fields, args: Fields): readonly string[] {
  const parts = partsOf(schema);
  if (!parts.some((part) => isFields(part['properties'])) || parts.some(isOpen)) return [];
  return Object.keys(args).filter((key) => !parts.some((part) => names(part, key)));
}

/** The schema with those that it applies to the same object. */
function partsOf(schema: Fields): Fields[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword]);
  const inner = [...lists, schema['if'], schema['then'], schema['else']].filter(isFields);
  return [schema, ...inner.flatMap(partsOf)];
}

/** Whether a schema says elsewhere, or deliberately not at all, which keys there are. */
const isOpen = ({ $ref, additionalProperties: others }: Fields): boolean =>
  $ref !== undefined || others === true || isFields(others);

function names({ properties, patternProperties }: Fields, key: string): boolean {
  if (isFields(properties) && Object.hasOwn(properties, key)) return true;
  return isFields(patternProperties) && Object.keys(patternProperties).some((pattern) => matches(pattern, key));
}

function matches(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(key);
  } catch {
    // In another dialect it may mean this key as well.
    return true;
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
