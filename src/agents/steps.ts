import { z } from 'zod';
import { maxResponseChars } from '#core/evaluation/claim.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import type { Asked, Disturbed, ToolOutcome } from '#core/ports.ts';
import { findRuleOfReportedErrorOrNull } from '#core/traces/reported-error.ts';
import { firstCharacters, textWithMarkIfCut } from '#core/values/excerpt.ts';
import { doesFaultBreakAttempt, spoiltCallText, makeStepPartsOfSpoiltCall } from '#core/traces/spoilt-call.ts';
import { factsBesideOutcome } from '#core/traces/step-outcome.ts';
import { excerptChars, type Step } from '#core/traces/trace.ts';

const toolNameChars = 300;
/** Maximum characters of a call's arguments, because traces keep them whole. */
export const argumentChars = 32_000;

/** The arguments of a call. */
export type Arguments = Record<string, unknown>;
const argumentObject = z.record(z.string(), z.unknown());

/**
 * Parses the arguments of a call as the model wrote them; null if they are not a JSON object, are nested too deep, or
 * have a number that is too large. An empty text means no arguments.
 */
export function parseArgumentsOrNull(text: string): Arguments | null {
  if (text.trim() === '') return {};
  const json = parseJsonWithinLimits(text);
  return json.ok ? (argumentObject.safeParse(json.value).data ?? null) : null;
}

/** Builds the step of a call that reached a server or was spoilt on its way. */
export function makeSentStep(made: {
  readonly tool: string;
  readonly arguments: Arguments;
  readonly outcome: ToolOutcome & Asked & Disturbed;
  readonly latencyMs: number;
  readonly turn: number;
  readonly turnTokens: number | null;
}): Step {
  const { tool, outcome, latencyMs, turn, turnTokens } = made;
  const place = { tool, arguments: made.arguments, turn, turnTokens, latencyMs, ...factsBesideOutcome(outcome) };
  if (outcome.kind === 'fault') return { ...place, ...makeFaultPartsOfStep(outcome) };
  const text = firstCharacters(outcome.text, excerptChars);
  const truncated = outcome.truncated || text.length < outcome.text.length;
  const result = outcome.kind === 'success' ? makeSuccessOrReportedErrorParts(outcome.text, place) : failed;
  const { code, unchecked, cause, sha256 } = outcome;
  return {
    ...place,
    ...result,
    text,
    truncated,
    sha256,
    ...(code === undefined ? {} : { code }),
    ...(unchecked === undefined ? {} : { unchecked }),
    ...(cause === undefined ? {} : { cause }),
    fault: null,
  };
}

/** Builds the step of a call that was broken off before an answer came, by the agent or by the end of its time. */
export function makeAbandonedCallStep(made: {
  readonly tool: string;
  readonly arguments: Arguments;
  readonly text: string;
  readonly latencyMs: number;
  readonly turn: number;
  readonly turnTokens: number | null;
}): Step {
  const failure = { source: 'rule', class: 'asynchronous-indeterminacy', rule: 'broken-off' } as const;
  return { ...made, outcome: 'failure', failure, truncated: false, sha256: null, fault: null };
}

/** Builds the step of a call that no tool could take: it was never sent. */
export function makeUnsentStep(made: {
  readonly tool: string;
  readonly arguments: Arguments | null;
  readonly text: string;
  readonly code?: number;
  readonly turn: number;
  readonly turnTokens: number | null;
  /** Absent if rules and judge are to find it. */
  readonly failure?: Step['failure'];
}): Step {
  const tool = firstCharacters(made.tool, toolNameChars);
  return { ...failed, ...made, tool, truncated: false, sha256: null, fault: null, latencyMs: 0 };
}

/** The whole text decides, of which the step keeps an excerpt. */
const makeSuccessOrReportedErrorParts = (
  text: string,
  call: { readonly tool: string; readonly arguments: Arguments },
): Pick<Step, 'outcome' | 'failure' | 'reported'> => {
  const rule = findRuleOfReportedErrorOrNull(text, call.tool, call.arguments);
  return rule === null
    ? { outcome: 'success', failure: null }
    : { outcome: 'success', failure: { source: 'undecided' }, reported: { rule } };
};
/** The attempt itself does not classify it. */
const failed = { outcome: 'failure', failure: { source: 'undecided' } } as const;

/** A call that broke is the environment's failure, unless the attempt ends with it. */
function makeFaultPartsOfStep(
  outcome: Extract<ToolOutcome, { readonly kind: 'fault' }>,
): Pick<Step, 'outcome' | 'text' | 'truncated' | 'sha256' | 'fault' | 'cause' | 'failure'> {
  const { fault } = outcome;
  const ended = { outcome: 'fault', text: '', failure: null } as const;
  return {
    ...(getAttemptEndingFaultOrNull(outcome) === null ? makeStepPartsOfSpoiltCall(fault) : ended),
    truncated: false,
    sha256: null,
    fault,
  };
}

/**
 * Returns the fault that ends an attempt at this call, because it cannot be made at all: no server can be connected to,
 * its server cannot be isolated, or a recording has no answer. Null for every other outcome: the agent is told, and continues.
 */
export function getAttemptEndingFaultOrNull(outcome: ToolOutcome): InfrastructureFault | null {
  if (outcome.kind !== 'fault') return null;
  return outcome.unmounted === true || doesFaultBreakAttempt(outcome.fault) ? outcome.fault : null;
}

/** Returns what the model is told about an outcome. */
export function outcomeTextForModel(outcome: ToolOutcome): string {
  if (outcome.kind === 'fault') return `The call failed: ${spoiltCallText(outcome.fault)}`;
  const shown = firstCharacters(outcome.text, excerptChars);
  const excerpt = textWithMarkIfCut(shown, outcome.truncated || shown.length < outcome.text.length);
  return `${outcome.kind === 'error' ? 'The call failed: ' : ''}${excerpt}`;
}

/** Returns the final answer as a trace keeps it. */
export const cutFinalText = (text: string): string => firstCharacters(text, maxResponseChars);
