import { serverOwnWordsOf, listTextLeavesLongestFirst } from './error-words.ts';
import {
  classByHttpStatus,
  failureClassOfFirstKnownCode,
  failureClassOfSqlState,
  refusalCodes,
} from './failure-codes.ts';
import type { FailureClass, FailureVerdict } from './failure.ts';
import { ambiguousTextRules, defectRule, ownTextRules, unambiguousTextRules, type TextRule } from './failure-texts.ts';
import { splitErrorIntoCodesAndWords, type MachinePart } from './machine-part.ts';
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
const methodNotFound = -32601;
const invalidParams = -32602;
/** MCP's "resource not found". */
const resourceNotFound = -32002;

/**
 * Classifies a failed call (a step whose outcome is `failure`, or a reported error) by rule. The first rule that applies
 * decides:
 *
 * 1. JSON-RPC's parse error, an unknown tool, or arguments that are not a JSON object: the call never reached a tool.
 *    JSON-RPC's "method not found" from a tool that exists: the server does not offer what the tool needs
 * 2. texts of our own (`ownTextRules`)
 * 3. the machine part: the HTTP status, codes inside JSON, the SQLSTATE. Codes of internal errors wait for 8, because many
 *    servers give everything that they catch such a code, and say in words what it was
 * 4. texts that show that the server is itself broken (`defectRule`), or lacks a table of its own
 * 5. unambiguous texts (`unambiguousTextRules`): the server accepted the arguments, or describes their error better than a schema can
 * 6. the input schema. `undefined-parameter-key`: a key is unknown, and the arguments violate the schema or the text
 *    quotes that key. An unknown key alone proves nothing, because many servers ignore it. Any other violation: malformed.
 * 7. texts that a violation could also cause (`ambiguousTextRules`); a refusal of arguments that fit the schema breaks a
 *    rule that the schema does not state
 * 8. JSON-RPC codes, because servers use them loosely, HTTP 500 and codes of internal errors
 *
 * From 4 on the words of the text count without those that repeat the arguments.
 */
export const classifyFailedCallByRules = (
  step: Pick<Step, 'arguments' | 'text' | 'code'>,
  context: FailureContext,
): RuleVerdict => {
  // This rule comes first: what could not be parsed names no tool either.
  if (step.code === parseError) return makeVerdict('parse-error-code', 'syntactic-malformation');
  if (!context.toolExists) return makeVerdict('unknown-tool', 'invalid-artifact-reference');
  if (step.arguments === null) return makeVerdict('malformed-arguments', 'syntactic-malformation');
  if (step.code === methodNotFound) return makeVerdict('method-not-found-code', 'service-scope-limitation');
  const machine = splitErrorIntoCodesAndWords(step.text);
  const words = serverOwnWordsOf(machine.words, step.arguments);
  return (
    verdictByText(ownTextRules, step.text) ??
    verdictByMachinePart(machine, words) ??
    verdictByServerDefect(words, step) ??
    verdictByText(unambiguousTextRules, words) ??
    verdictBySchema(step.text, context) ??
    verdictByAmbiguousTextRules(words, context) ??
    verdictByRefusedArguments(machine, context) ??
    verdictByRpcCode(step.code, context) ??
    verdictByServerError(machine) ?? { source: 'undecided' }
  );
};

const makeVerdict = (rule: string, failure: FailureClass): RuleVerdict => ({ source: 'rule', class: failure, rule });

const findRule = (rules: readonly TextRule[], text: string): TextRule | undefined =>
  rules.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)));

const verdictByText = (rules: readonly TextRule[], text: string): RuleVerdict | undefined => {
  const rule = findRule(rules, text);
  return rule === undefined ? undefined : makeVerdict(rule.name, rule.class);
};

/** Services answer 403 to those that ask too often, and 409 to those that make what exists. */
const limits = /\brate[ _-]?limit|\btoo many requests\b|\bquota\b|\bbilling\b|\bplan\b/i;
const exists = /\balready exists\b|\bduplicate\b/i;

const verdictByMachinePart = ({ status, codes, sqlState }: MachinePart, words: string): RuleVerdict | undefined => {
  if (sqlState !== null) {
    const failure = failureClassOfSqlState(sqlState);
    if (failure !== undefined) return makeVerdict('sql-state', failure);
  }
  if (status === 403 && limits.test(words)) return makeVerdict('http-status', 'service-scope-limitation');
  if (status === 409 && exists.test(words)) return makeVerdict('http-status', 'implicit-business-constraint');
  const byStatus = status === null ? undefined : classByHttpStatus.get(status);
  if (byStatus !== undefined) return makeVerdict('http-status', byStatus);
  const byCode = failureClassOfFirstKnownCode(codes);
  return byCode === undefined || byCode === defectRule.class ? undefined : makeVerdict('error-code', byCode);
};

/** Tables and columns that a database lacks; the agent is to blame only if it named them. */
const missingTable =
  /\bno such (?:table|column): ["'`]?([\w.]+)|\b(?:relation|column|table) ["'`]?([\w.]+)["'`]? (?:of relation \S+ )?(?:does not|doesn't) exist|\bunknown column ["'`]([\w.]+)["'`]/i;

const moduleOfArguments = /\bcannot find module ["'`][^"'`\n]{0,200}…/iu;

/** A program that the agent wrote fails for the agent's reasons, so names that its arguments contain prove nothing. */
const verdictByServerDefect = (words: string, step: Pick<Step, 'arguments' | 'text'>): RuleVerdict | undefined => {
  const given = listTextLeavesLongestFirst(step.arguments);
  const names = (name: string): boolean => given.some((leaf) => leaf.toLowerCase().includes(name.toLowerCase()));
  const missing = missingTable
    .exec(step.text)
    ?.slice(1)
    .find((name) => name !== undefined);
  const own = missing?.split('.').at(-1);
  if (own !== undefined) return names(own) ? undefined : makeVerdict('own-table', defectRule.class);
  const verdict = verdictByText([defectRule], words);
  // A module with a name out of the arguments is the agent's mistake.
  if (verdict === undefined || moduleOfArguments.test(words)) return undefined;
  const quoted = Array.from(words.matchAll(/["'`]([A-Za-z_]\w{2,60})["'`]/g), ([, name = '']) => name);
  return quoted.some((name) => !/^(?:str|int|dict|list|NoneType|undefined|null)$/.test(name) && names(name))
    ? undefined
    : verdict;
};

const verdictBySchema = (text: string, { unknownKeys, violatesSchema }: FailureContext): RuleVerdict | undefined => {
  const blamed = violatesSchema === true ? unknownKeys.length > 0 : unknownKeys.some((key) => hasQuotedKey(text, key));
  if (blamed) return makeVerdict('unknown-key', 'undefined-parameter-key');
  return violatesSchema === true ? makeVerdict('schema-violation', 'syntactic-malformation') : undefined;
};

/** Returns whether a text names a key in quotes; bare words match by chance. */
const hasQuotedKey = (text: string, key: string): boolean =>
  ['"', "'", '`'].some((quote) => text.includes(`${quote}${key}${quote}`));

const verdictByAmbiguousTextRules = (words: string, { violatesSchema }: FailureContext): RuleVerdict | undefined => {
  const rule = findRule(ambiguousTextRules, words);
  if (rule === undefined) return undefined;
  return makeVerdict(rule.name, rule.refusesArguments === true ? refusalClassBySchema(violatesSchema) : rule.class);
};

/** Arguments that fit the schema and are refused break a rule that the schema does not state. */
const refusalClassBySchema = (violatesSchema: boolean | null): FailureClass =>
  violatesSchema === false ? 'implicit-business-constraint' : 'syntactic-malformation';

const verdictByRefusedArguments = (
  { codes, status }: MachinePart,
  { violatesSchema }: FailureContext,
): RuleVerdict | undefined =>
  codes.some((code) => refusalCodes.test(code)) || ((status === 400 || status === 422) && violatesSchema === false)
    ? makeVerdict('refusal-code', refusalClassBySchema(violatesSchema))
    : undefined;

const verdictByRpcCode = (code: number | undefined, { violatesSchema }: FailureContext): RuleVerdict | undefined => {
  if (code === resourceNotFound) return makeVerdict('resource-not-found-code', 'invalid-artifact-reference');
  if (code === invalidRequest) return makeVerdict('invalid-request-code', 'syntactic-malformation');
  if (code === invalidParams && violatesSchema === false)
    return makeVerdict('parameters-refused', 'implicit-business-constraint');
  return undefined;
};

const verdictByServerError = ({ status, codes }: MachinePart): RuleVerdict | undefined => {
  if (status === 500) return makeVerdict('http-status', defectRule.class);
  return failureClassOfFirstKnownCode(codes) === defectRule.class
    ? makeVerdict('error-code', defectRule.class)
    : undefined;
};
