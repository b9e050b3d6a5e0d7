import type { FailureClass, FailureVerdict } from './failure.ts';
import { ambiguousTextRules, unambiguousTextRules, type TextRule } from './failure-texts.ts';
import type { Step } from './trace.ts';

/** What the caller knows about a failed call besides its step. */
export interface FailureContext {
  /** Whether a tool with that name was mounted. */
  readonly toolExists: boolean;
  /** Keys of the arguments that the tool's input schema does not name. */
  readonly unknownKeys: readonly string[];
  /** Whether the arguments violate the input schema; null if that could not be checked. */
  readonly violatesSchema: boolean | null;
}

/** `undecided` is left to a model. */
export type RuleVerdict = Exclude<FailureVerdict, { source: 'model' }>;

const parseError = -32700;
const invalidRequest = -32600;
const invalidParams = -32602;
/** MCP's "resource not found". */
const resourceNotFound = -32002;

/**
 * Classifies a failed call (a step whose outcome is `failure`) by rule. The first rule that applies decides:
 *
 * 1. JSON-RPC's parse error, an unknown tool, or arguments that are not a JSON object: the call never reached a tool
 * 2. unambiguous texts (`unambiguousTextRules`): the server accepted the arguments, or describes their error better than a schema can
 * 3. the input schema. `undefined-parameter-key`: a key is unknown, and the arguments violate the schema or the text
 *    quotes that key. An unknown key alone proves nothing, because many servers ignore it. Any other violation: malformed.
 * 4. texts that a violation could also cause (`ambiguousTextRules`)
 * 5. JSON-RPC codes, last, because servers use them loosely: parameters that fit the schema but are refused as invalid
 *    break a rule that the schema does not state
 */
export const classifyFailure = (
  step: Pick<Step, 'arguments' | 'text' | 'code'>,
  context: FailureContext,
): RuleVerdict => {
  // This rule comes first: what could not be parsed names no tool either.
  if (step.code === parseError) return makeVerdict('parse-error-code', 'syntactic-malformation');
  if (!context.toolExists) return makeVerdict('unknown-tool', 'invalid-artifact-reference');
  if (step.arguments === null) return makeVerdict('malformed-arguments', 'syntactic-malformation');
  return (
    verdictByText(unambiguousTextRules, step.text) ??
    verdictBySchema(step.text, context) ??
    verdictByText(ambiguousTextRules, step.text) ??
    verdictByCode(step.code, context) ?? { source: 'undecided' }
  );
};

const makeVerdict = (rule: string, failure: FailureClass): RuleVerdict => ({ source: 'rule', class: failure, rule });

const verdictByText = (rules: readonly TextRule[], text: string): RuleVerdict | undefined => {
  const rule = rules.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)));
  return rule === undefined ? undefined : makeVerdict(rule.name, rule.class);
};

const verdictBySchema = (text: string, { unknownKeys, violatesSchema }: FailureContext): RuleVerdict | undefined => {
  const blamed = violatesSchema === true ? unknownKeys.length > 0 : unknownKeys.some((key) => hasQuotedKey(text, key));
  if (blamed) return makeVerdict('unknown-key', 'undefined-parameter-key');
  return violatesSchema === true ? makeVerdict('schema-violation', 'syntactic-malformation') : undefined;
};

/** Returns whether a text names a key in quotes; bare words match by chance. */
const hasQuotedKey = (text: string, key: string): boolean =>
  ['"', "'", '`'].some((quote) => text.includes(`${quote}${key}${quote}`));

const verdictByCode = (code: number | undefined, { violatesSchema }: FailureContext): RuleVerdict | undefined => {
  if (code === resourceNotFound) return makeVerdict('resource-not-found-code', 'invalid-artifact-reference');
  if (code === invalidRequest) return makeVerdict('invalid-request-code', 'syntactic-malformation');
  if (code === invalidParams && violatesSchema === false)
    return makeVerdict('parameters-refused', 'implicit-business-constraint');
  return undefined;
};
