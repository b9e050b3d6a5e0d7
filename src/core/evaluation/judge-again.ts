import type { ReportedError } from '#core/traces/reported-error.ts';
import type { Step, Trace } from '#core/traces/trace.ts';
import type { Verdict } from '#core/scoring/votes.ts';
import type { AttemptRecord, AttemptResult, EvaluationCase } from './case.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import {
  configurationOfAgent,
  isExternalOrUploadedAgent,
  isLoopOfOurs,
  type EvaluationConfig,
  type StoredAgent,
} from './config.ts';
import type { Label } from './labels.ts';
import type { SubIntentPlan } from './sub-intent-plan.ts';

/** What an evaluation that is judged again passes on. */
export interface EvaluationToJudgeAgain {
  readonly config: EvaluationConfig;
  /** Its agents, without keys: their attempts are imported. */
  readonly agents: readonly StoredAgent[];
  /** The units that it left out, because a wording was written from them. */
  readonly seen: readonly string[];
}

/** What was said of an attempt of the evaluation that is judged again. */
export interface EarlierVerdict {
  readonly request: RequestName;
  /** The verdict that counted. */
  readonly verdict: Verdict;
}

/** A case whose attempts are judged again. */
export interface CaseToJudgeAgain extends Pick<EvaluationCase, 'id' | 'unit'> {
  /** The goals of its unit, so that the judges differ in nothing else; null where nobody has planned them. */
  readonly plan: SubIntentPlan | null;
  readonly attempts: readonly AttemptResult[];
  readonly verdicts: readonly EarlierVerdict[];
  readonly labels: readonly Label[];
}

/** Returns an agent whose attempts were made elsewhere. */
export const makeUploadedAgentFromAgent = (agent: StoredAgent): StoredAgent => ({
  name: agent.name,
  loop: 'uploaded',
  configuration: configurationOfAgent(agent),
});

/**
 * Returns whether an agent may have seen more of a result than its trace keeps. An agent of ours whose attempts are judged
 * again saw what it saw then.
 */
export const mayAgentHaveSeenWholeResults = (agent: StoredAgent, rejudges: string | null): boolean =>
  isExternalOrUploadedAgent(agent) && !(rejudges !== null && wereAttemptsOfAgentMadeHere(agent));

const wereAttemptsOfAgentMadeHere = (agent: StoredAgent): boolean => isLoopOfOurs(configurationOfAgent(agent).loop);

/** Returns the result of an attempt as it was before a judge said anything about it. */
export function makeAttemptToJudgeAgain(
  side: RequestName,
  { usage: { calls, ...spent }, relaunched, fault }: Pick<AttemptRecord, 'usage' | 'relaunched' | 'fault'>,
  trace: Trace,
): AttemptResult {
  const none = { promptTokens: 0, completionTokens: 0, costUsd: 0 };
  return {
    kind: 'attempt',
    side,
    trace: traceWithoutJudgements(trace),
    // An attempt whose time is over is evaluated, although its last call broke.
    fault: fault === null ? null : trace.fault,
    // All of the tokens in the first call; only the sums are kept.
    calls: Array.from({ length: calls }, (_, at) => (at === 0 ? spent : none)),
    elsewhere: { relaunched },
  };
}

/** Returns a trace without what judges said of its calls. */
export const traceWithoutJudgements = (trace: Trace): Trace => ({
  ...trace,
  steps: trace.steps.map(stepWithoutJudgement),
});

const stepWithoutJudgement = ({ reported, failure, ...step }: Step): Step => {
  const open = failure?.source === 'model' || failure?.source === 'undecided' || reported?.judged === 'overruled';
  return {
    ...step,
    failure: open ? { source: 'undecided' } : failure,
    ...(reported === undefined ? {} : { reported: reportedErrorWithoutJudgement(reported) }),
  };
};

const reportedErrorWithoutJudgement = ({ rule }: ReportedError): ReportedError => ({ rule });
