import type { Tool } from '#core/catalog/tool.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import type { FailureContext } from '#core/traces/classify-failure.ts';
import { holdsRedactedValue } from '#core/traces/redaction/marker.ts';
import { isFailureWithoutClass, traceWithFailuresClassifiedByRules } from '#core/traces/classify-trace.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import { checkValueAgainstSchema } from '#core/values/json-schema/check.ts';
import { type JsonObject, arrayOrEmpty, isJsonObject } from '#core/values/json-schema/json-object.ts';
import { compilePattern } from '#core/values/json-schema/pattern.ts';

/** How a call's arguments relate to the tool's input schema. */
interface ArgumentCheck {
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

/** Steps that the checks of a trace's failed calls, and those of the others, may take together; further calls stay unchecked. */
const traceSteps = 400_000;

/**
 * Classifies a trace's failed calls as far as rules go, and notes how each call relates to the tools; `tools` are the mounted
 * ones.
 */
export function traceWithCallsClassifiedByRules(
  trace: Trace,
  tools: readonly Pick<Tool, 'name' | 'inputSchema'>[],
): Trace {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  // Failed calls come first, so that others never leave them unchecked.
  const budgets = { failed: new Steps(traceSteps), other: new Steps(traceSteps) };
  const contexts = new Map<Step, FailureContext>();
  for (const step of [...trace.steps.filter(isFailureWithoutClass), ...trace.steps])
    if (!contexts.has(step))
      contexts.set(
        step,
        makeFailureContextOfStep(
          step,
          byName.get(step.tool),
          isFailureWithoutClass(step) ? budgets.failed : budgets.other,
        ),
      );
  const contextOf = (step: Step): FailureContext => {
    const found = contexts.get(step);
    if (found === undefined) throw new Error('a step was not checked');
    return found;
  };
  const classified = traceWithFailuresClassifiedByRules(trace, contextOf);
  const forms = trace.steps.map((step) => classifyCallFitToSchema(step, contextOf(step)));
  return {
    ...classified,
    steps: classified.steps.map((step, index) => {
      const form = forms[index];
      return form === undefined ? step : { ...step, form };
    }),
  };
}

function makeFailureContextOfStep(
  step: Step,
  tool: Pick<Tool, 'inputSchema'> | undefined,
  steps: Steps,
): FailureContext {
  // Valid arguments that were never sent: the model wrote the tool's own name instead of the function's.
  const unsent = isFailureWithoutClass(step) && step.sha256 === null && step.arguments !== null;
  if (tool === undefined || step.arguments === null || unsent) {
    return { toolExists: tool !== undefined && !unsent, unknownKeys: [], violatesSchema: null };
  }
  const check = compareArgumentsWithSchema(tool.inputSchema, step.arguments, steps);
  // What does not fit may be what was redacted.
  const isUnclear = check.violatesSchema === true && holdsRedactedValue(step.arguments);
  return { toolExists: true, ...(isUnclear ? { violatesSchema: null, unknownKeys: [] } : check) };
}

function classifyCallFitToSchema(
  { arguments: args }: Pick<Step, 'arguments'>,
  { toolExists, violatesSchema }: FailureContext,
): NonNullable<Step['form']> {
  if (!toolExists) return 'no-tool';
  if (args === null) return 'violates';
  return violatesSchema === null ? 'unchecked' : violatesSchema ? 'violates' : 'fits';
}
