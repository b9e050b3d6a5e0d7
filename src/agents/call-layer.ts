import type { AgentLimits } from '#core/models/limits.ts';
import type { ToolConnections } from '#core/ports.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { excerptChars, summaryChars, traceBytes } from '#core/traces/trace.ts';
import { forwardOrRefuseCall, tooManyCalls, type CallToMake, type CarriedOutCall } from './attempt.ts';
import type { AttemptLog } from './attempt-log.ts';
import { makeShownResultsSummarisingLong, type ResultSummariser, type ShownResult } from './result-summary.ts';
import { awaitAllOrThrow } from './await-all.ts';
import type { Arguments } from './steps.ts';

/** Calls of one plan that are under way at once: they leave one of an invocation's six waiting requests to others. */
export const callsAtOnce = 5;

const encoder = new TextEncoder();
/** Bytes that a character may take in JSON, as an escape. */
const bytesPerChar = 6;
/** The bytes of a step beside its arguments, at most. */
const restOfStepBytes = (excerptChars + summaryChars) * bytesPerChar + 4_000;

/** A call as the model sees it afterwards. */
export interface ObservedCall {
  readonly tool: string;
  readonly arguments: Arguments | null;
  readonly shown: ShownResult;
}

/** What became of the calls of one plan. */
export interface ObservedLayer {
  readonly observed: readonly ObservedCall[];
  /** What ended the attempt on the way; the calls after it were not made. */
  readonly ending: InfrastructureFault | 'time-limit' | null;
}

export interface LayerContext {
  readonly log: AttemptLog;
  readonly turn: number;
  readonly turnTokens: number;
  readonly connections: ToolConnections;
  readonly limits: Pick<AgentLimits, 'callTimeoutMs' | 'callsPerTurn' | 'parallelCalls'>;
  readonly now: () => number;
  readonly summariser: ResultSummariser;
}

/**
 * Carries out the calls of one plan in groups, the calls of a group at the same time, and adds their steps to the log in
 * the plan's order. Groups follow one another, so which calls are made, and how often a call was made before, depends on
 * no server's speed. A group that a fault ends is finished first: each of its calls has its step. Calls beyond the limits
 * are observed as not carried out.
 */
export async function carryOutPlannedCalls(
  calls: readonly CallToMake[],
  context: LayerContext,
): Promise<ObservedLayer> {
  const { log, limits } = context;
  const most = limits.parallelCalls ? limits.callsPerTurn : 1;
  const observed: ObservedCall[] = [];
  const wanted = calls.slice(0, most);
  for (let next = 0; next < wanted.length && !log.isFull;) {
    const group = firstCallsThatFitAtOnce(wanted.slice(next), log.bytes);
    if (log.leftMs <= 0) return { observed, ending: 'time-limit' };
    const { shown, ending } = await carryOutCallsAtOnceAndLog(group, context);
    observed.push(...shown);
    if (ending !== null) return { observed, ending };
    next += group.length;
  }
  const left = calls.slice(observed.length);
  return {
    observed: [...observed, ...left.map((call) => makeCallWithShownResult(call, { result: tooManyCalls }))],
    ending: null,
  };
}

/**
 * Returns the first calls that may be made at once: at most five, and so few that all but the last surely fit into the
 * trace, which then is no longer than with calls one by one.
 */
function firstCallsThatFitAtOnce(calls: readonly CallToMake[], bytes: number): readonly CallToMake[] {
  let reserved = bytes;
  const tooLarge = calls.findIndex((call) => {
    const fits = reserved <= traceBytes;
    reserved += encoder.encode(JSON.stringify([call.tool, call.arguments])).length + restOfStepBytes;
    return !fits;
  });
  return calls.slice(0, Math.max(1, Math.min(callsAtOnce, tooLarge < 0 ? calls.length : tooLarge)));
}

async function carryOutCallsAtOnceAndLog(
  group: readonly CallToMake[],
  { log, turn, turnTokens, connections, limits, now, summariser }: LayerContext,
): Promise<{ readonly shown: readonly ObservedCall[]; readonly ending: InfrastructureFault | null }> {
  const begun = now();
  const context = { turn, turnTokens, connections, limits, timeLeft: log.leftMs, now };
  const made = await awaitAllOrThrow(group.map((call) => forwardOrRefuseCall(call, context)));
  // The slowest call is what the group took; the rest was waiting.
  log.excludeQueuedMs(Math.max(0, now() - begun - Math.max(...made.map(({ step }) => step.latencyMs))));
  const ending = made.find((each) => each.ending !== null)?.ending ?? null;
  const results =
    ending === null
      ? await makeShownResultsSummarisingLong(made, log, summariser)
      : made.map(makeShownResultWithoutSummary);
  for (const [index, { step }] of made.entries()) {
    const shown = results[index];
    log.addStep(shown?.summary === undefined ? step : { ...step, summary: shown.summary });
  }
  return { shown: group.map((call, index) => makeCallWithShownResult(call, results[index] ?? { result: '' })), ending };
}

const makeShownResultWithoutSummary = ({ reply }: CarriedOutCall): ShownResult => ({ result: reply });

const makeCallWithShownResult = ({ tool, arguments: args }: CallToMake, shown: ShownResult): ObservedCall => ({
  tool,
  arguments: args,
  shown,
});
