import { z } from 'zod';
import { routingError, type RoutingError } from '#core/traces/error-class.ts';
import { failureClass } from '#core/traces/failure.ts';
import { reportedError } from '#core/traces/reported-error.ts';
import { hasFailed } from '#core/traces/step-outcome.ts';
import { statesUnreturnedValueOrNull } from '#core/traces/unreturned-values.ts';
import { step, type Trace } from '#core/traces/trace.ts';
import { reportedErrorAfterVerdict, type JudgedFailure } from '#core/traces/classify-trace.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { isAnswered, ownToolCalls } from '#core/models/gateway/model-request.ts';
import type { Asked } from '#core/models/breaker.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { makeInternalFault } from '#core/models/internal-fault.ts';
import {
  judgedKeys,
  computeScoresWithoutJudge,
  computeRuleScoresOfJudgedScorers,
  type AttemptScores,
  type AttemptTrace,
} from './attempt-scores.ts';
import { defaultScoring, type ScoringParameters } from '#core/scoring/parameters.ts';
import { score, makeUnscored, type Score, type UnscoredReason } from '#core/scoring/score.ts';
import { buildRecordByAttemptScorer, scorerKeys, type ScorerKey } from './scorers.ts';
import { addUsage, noUsage, usage, sumUsageOfCalls, type Usage } from '#core/models/usage.ts';
import { requestName, type RequestName } from '#core/benchmarks/protocols/case-requests.ts';

/**
 * A case: one agent, one unit, one trial, with one attempt at each of the requests that its protocol has. Like a unit of an
 * exploration it is a pure state machine: a driver asks for its `stage`, performs it and commits the result.
 */

/** The result of one attempt. */
export const attemptRecord = z.object({
  /** False if an infrastructure fault broke it twice: nothing is known about the agent. */
  evaluated: z.boolean(),
  /** Whether it was made again, after a fault or a crash of the agent. */
  relaunched: z.boolean(),
  /** Whether the agent crashed, so that its response is empty; absent if it did not, and in cases of earlier releases. */
  crashed: z.literal(true).optional(),
  /** In the order of issue; `failure` is the class of a failed call, null if none was decided. */
  calls: z.array(
    z.object({
      tool: z.string(),
      /** The model turn that issued it; absent in cases of earlier releases. */
      turn: z.int().min(1).optional(),
      outcome: z.enum(['success', 'failure', 'fault']),
      /** Set if the server marked the result as a success although its text reports an error. */
      reported: reportedError.optional(),
      failure: failureClass.nullable(),
      /** Set if the environment spoilt the call. */
      cause: step.shape.cause,
      /** Set if a disturbance made what came back, so that it says nothing about the tool. */
      disturbed: step.shape.disturbed,
    }),
  ),
  /** Turns of the model; absent in cases of earlier releases. */
  turns: z.int().min(0).optional(),
  /** How often its model called tools of the agent's own, such as a shell, by name; absent if none was seen. */
  ownToolCalls,
  /** How often it searched for tools; absent if it sees them all. */
  routes: z.int().min(0).optional(),
  /** Why it failed, if it searched for tools and a judge found that it failed. */
  routingError: routingError.optional(),
  end: z.string(),
  response: z.string(),
  /**
   * Whether the response states a value that neither the request nor any call has. Null without a response, if a result was
   * cut, and in cases of earlier releases.
   */
  unreturned: z.boolean().nullable(),
  fault: z.object({ where: z.string(), name: z.string(), code: z.string(), detail: z.string() }).nullable(),
  scores: z.object(buildRecordByAttemptScorer(() => score)),
  /** Usage of the agent, including what it spent on a try that a fault broke. */
  usage,
  durationMs: z.number(),
  /** When its texts were deleted; the figures stayed. Absent if they are there. */
  textsDeleted: z.string().optional(),
});
export type AttemptRecord = z.infer<typeof attemptRecord>;

export const caseStage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('attempt'), side: requestName }),
  z.object({ kind: z.literal('judgement'), side: requestName }),
  z.object({ kind: z.literal('done') }),
]);

export const evaluationCase = z.object({
  id: z.string(),
  unit: z.string(),
  agent: z.string(),
  trial: z.int().min(1),
  /** The names of its requests, each once, in the order in which they are attempted and then judged. */
  requests: z.array(requestName).min(1),
  revision: z.int().min(0),
  stage: caseStage,
  /** Faults of the current attempt, the second of which ends it, and what was spent on them. */
  faults: z.int().min(0),
  wasted: usage,
  /** The attempts that were made, by request. */
  attempts: z.record(requestName, attemptRecord),
  /** The scores of the case as a whole, once its attempts are done and evaluated; none before, nor in cases of release 0.2.0. */
  scores: z.partialRecord(z.enum(scorerKeys), score),
  judgeUsage: usage,
});
export type EvaluationCase = z.infer<typeof evaluationCase>;

/** The result of an attempt: its trace, and the fault that broke it, if any. */
export type AttemptResult = Extract<CaseResult, { kind: 'attempt' }>;

export type CaseResult =
  | {
      readonly kind: 'attempt';
      readonly side: RequestName;
      readonly trace: Trace;
      readonly fault: InfrastructureFault | null;
      /** The calls of the agent's model; none if we did not see it. */
      readonly calls: readonly Pick<
        ModelCall,
        'promptTokens' | 'completionTokens' | 'cachedTokens' | 'cacheWriteTokens' | 'reasoningTokens' | 'costUsd'
      >[];
      /** Set if the agent crashed before it had an answer. */
      readonly crashed?: true | undefined;
      /** Set if its fault counts as a failure of the agent, because its endpoint broke attempts before. */
      readonly counts?: boolean;
      /** Whether an earlier one at the same request crashed and was made again. */
      readonly isAfterCrash?: boolean;
      /** What the model took that played the user; absent if it was not asked. It counts as the judge's. */
      readonly userUsage?: Usage | undefined;
      /** For imported attempts only, which are never retried here: whether the original harness retried it. */
      readonly elsewhere?: { readonly relaunched: boolean };
    }
  | {
      readonly kind: 'judgement';
      readonly side: RequestName;
      /** The scores that need judges, and those that follow from what a judge overruled. */
      readonly scores: AttemptScores;
      /** Verdicts on the failed calls that no rule decided, and on reported errors. */
      readonly classes: readonly JudgedFailure[];
      readonly routingError?: RoutingError | undefined;
      /** The first fault between us and a judge, if there was one: the scores that needed its answer lack it. */
      readonly fault?: InfrastructureFault | undefined;
      readonly calls: readonly ModelCall[];
    };

/** Returns whose model was asked in a stage of a case, and what resulted. The judge also plays the user of attempts. */
export const askedModelAndFaultOfResult = (
  { agent }: Pick<EvaluationCase, 'agent'>,
  { kind, fault }: CaseResult,
): Asked => ({
  by: kind === 'attempt' && fault?.name !== 'judge' ? `the agent ${agent}` : 'the judge',
  fault: fault ?? null,
});

/** Faults after which an attempt is given up. */
const mostFaults = 2;

/** Which case it is, and its requests in order, at least one. */
export interface CasePlace {
  readonly id: string;
  readonly unit: string;
  readonly agent: string;
  readonly trial: number;
  readonly requests: readonly RequestName[];
}

export function newCase({ requests, ...place }: CasePlace): EvaluationCase {
  const [first] = requests;
  if (first === undefined) throw new Error(`case ${place.id} has no request`);
  return {
    ...place,
    requests: [...requests],
    revision: 0,
    stage: { kind: 'attempt', side: first },
    faults: 0,
    wasted: noUsage,
    attempts: {},
    scores: {},
    judgeUsage: noUsage,
  };
}

/** What the scores of an attempt depend on besides its trace. */
export interface ScoringBasis extends Omit<AttemptTrace, 'trace' | 'scoring'> {
  /** What the attempt was asked to do; undefined if that is not known. */
  readonly request?: string | undefined;
  readonly judges: boolean;
  /** The scorers that the protocol asks for; all of them if it is absent. */
  readonly asked?: readonly ScorerKey[];
  /** Default: the default parameters. */
  readonly scoring?: ScoringParameters | undefined;
}

/** Returns the case after a stage. Throws for a result of another stage, which is a defect of the caller. */
export function caseAfterStageResult(before: EvaluationCase, result: CaseResult, basis: ScoringBasis): EvaluationCase {
  const { stage } = before;
  if (stage.kind !== result.kind || stage.side !== result.side) {
    throw new Error(`case ${before.id} is not at the ${result.kind} of its ${result.side}`);
  }
  const revised = { ...before, revision: before.revision + 1 };
  if (result.kind === 'judgement') return caseAfterJudgement(revised, result);
  const next = { ...revised, judgeUsage: addUsage(before.judgeUsage, result.userUsage ?? noUsage) };
  const wasted = addUsage(before.wasted, sumUsageOfCalls(result.calls));
  const { fault, elsewhere, counts = false } = result;
  if (
    elsewhere === undefined &&
    fault !== null &&
    !counts &&
    before.faults + 1 < mostFaults &&
    isWorthRetrying(fault)
  ) {
    return { ...next, faults: before.faults + 1, wasted };
  }
  const attempts = {
    ...before.attempts,
    [result.side]: makeMeasuredAttemptRecord(result, basis, {
      relaunched: elsewhere?.relaunched ?? (before.faults > 0 || result.isAfterCrash === true),
      spent: wasted,
    }),
  };
  return {
    ...next,
    faults: 0,
    wasted: noUsage,
    attempts,
    stage: nextStage({ ...before, attempts }, basis.judges),
  };
}

/** Returns what calls took of agents, and what of judges, who also play the users of attempts. */
export function sumUsageOfAgentsAndJudges(calls: readonly ModelCall[]): {
  readonly agents: Usage;
  readonly judges: Usage;
} {
  const [own, judging] = [calls.filter(isModelCallOfAgent), calls.filter((call) => !isModelCallOfAgent(call))];
  return { agents: sumUsageOfCalls(own), judges: sumUsageOfCalls(judging) };
}

const isModelCallOfAgent = ({ role }: ModelCall): boolean => role === 'agent';

/** Returns the case with what a stage took that stays undone; its revision is new, so that this counts once. */
export function caseWithUsageOfUndoneStage(
  before: EvaluationCase,
  { agents, judges }: { readonly agents: Usage; readonly judges: Usage },
): EvaluationCase {
  return {
    ...before,
    revision: before.revision + 1,
    wasted: addUsage(before.wasted, agents),
    judgeUsage: addUsage(before.judgeUsage, judges),
  };
}

/** Returns whether the case waits for an attempt at this request. */
export const waitsForAttemptAtRequest = ({ stage }: EvaluationCase, side: RequestName): boolean =>
  stage.kind === 'attempt' && stage.side === side;

/**
 * Returns whether a fault may be gone in a second try. A recording that lacks an answer will always lack it, and what
 * failed for a reason of ours was retried often enough.
 */
const isWorthRetrying = ({ code }: InfrastructureFault): boolean => code !== 'replay-miss' && code !== 'internal';

/**
 * Returns the result that ends the open stage of a case that could not be carried out for a reason of ours: an attempt
 * that is not evaluated, or a judgement without scores. Null for a finished case.
 */
export function makeResultOfFailedStage({ stage }: Pick<EvaluationCase, 'stage'>, reason: string): CaseResult | null {
  switch (stage.kind) {
    case 'done':
      return null;
    case 'attempt': {
      const fault = makeInternalFault('attempt', reason);
      return { kind: 'attempt', side: stage.side, trace: makeEmptyFaultTrace(fault), fault, calls: [] };
    }
    case 'judgement': {
      const scores: AttemptScores = Object.fromEntries(judgedKeys.map((key) => [key, makeUnscored('internal', {})]));
      return { kind: 'judgement', side: stage.side, scores, classes: [], calls: [] };
    }
  }
}

const makeEmptyFaultTrace = (fault: InfrastructureFault): Trace => ({
  steps: [],
  finalText: '',
  end: 'fault',
  fault: { ...fault },
  turns: 0,
  promptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
  durationMs: 0,
});

function makeMeasuredAttemptRecord(
  { trace, fault, crashed, counts = false }: AttemptResult,
  { isNegative, chain, origins, truth, request, judges, asked = scorerKeys, scoring = defaultScoring }: ScoringBasis,
  { relaunched, spent }: { readonly relaunched: boolean; readonly spent: Usage },
): AttemptRecord {
  const broken = fault !== null && !counts;
  const reason = broken ? 'not-evaluated' : judges ? 'not-judged' : 'judges-off';
  const facts = { isNegative, chain, origins, truth, request, trace, scoring };
  const known = broken
    ? {}
    : { ...computeRuleScoresOfJudgedScorers(facts, asked), ...computeScoresWithoutJudge(facts) };
  return {
    evaluated: !broken,
    relaunched,
    ...(crashed === undefined || broken ? {} : { crashed }),
    calls: trace.steps.map(({ tool, turn, outcome, reported, failure, cause, disturbed }) => ({
      tool,
      turn,
      outcome,
      ...(reported === undefined ? {} : { reported }),
      failure: failure === null || failure.source === 'undecided' ? null : failure.class,
      ...(cause === undefined ? {} : { cause }),
      ...(disturbed === undefined ? {} : { disturbed }),
    })),
    turns: trace.modelRequests?.filter(isAnswered).length ?? trace.turns,
    ...(trace.routes === undefined ? {} : { routes: trace.routes.length }),
    ...(trace.ownToolCalls === undefined ? {} : { ownToolCalls: trace.ownToolCalls }),
    end: trace.end,
    response: trace.finalText,
    unreturned: broken || request === undefined ? null : statesUnreturnedValueOrNull(request, trace),
    fault: fault === null ? null : { ...fault },
    scores: buildRecordByAttemptScorer((key) =>
      asked.includes(key) ? (known[key] ?? makeUnscored(reason, {})) : makeUnscored('not-asked', {}),
    ),
    usage: spent,
    durationMs: trace.durationMs,
  };
}

function caseAfterJudgement(
  before: EvaluationCase,
  result: Extract<CaseResult, { kind: 'judgement' }>,
): EvaluationCase {
  const attempt = before.attempts[result.side];
  if (attempt === undefined) throw new Error(`case ${before.id} has no attempt to judge`);
  const scores = buildRecordByAttemptScorer((key) => {
    const [known, judged] = [attempt.scores[key], result.scores[key]];
    return judged === undefined || isUnscoredForGood(known) || wouldOwnDefectEraseScore(known, judged) ? known : judged;
  });
  const attempts = {
    ...before.attempts,
    [result.side]: {
      ...attempt,
      scores,
      calls: callsWithJudgedFailures(attempt.calls, result.classes),
      ...(result.routingError === undefined ? {} : { routingError: result.routingError }),
    },
  };
  return {
    ...before,
    attempts,
    judgeUsage: addUsage(before.judgeUsage, sumUsageOfCalls(result.calls)),
    stage: nextStage({ ...before, attempts }, true),
  };
}

/** A judgement that failed for a reason of ours takes no score away that rules had decided. */
const wouldOwnDefectEraseScore = (known: Score, judged: Score): boolean =>
  known.value !== null && judged.value === null && judged.reason === 'internal';

/** Reasons that no judge changes. */
const lastingReasons: readonly UnscoredReason[] = ['not-asked', 'no-tool-fits', 'tool-fits'];

const isUnscoredForGood = (given: Score): boolean => given.value === null && lastingReasons.includes(given.reason);

function callsWithJudgedFailures(
  calls: AttemptRecord['calls'],
  judged: readonly JudgedFailure[],
): AttemptRecord['calls'] {
  const classes = new Map(judged.map(({ step, class: name }) => [step, name]));
  return calls.map((call, place) => {
    const name = classes.get(place);
    if (name === undefined) return call;
    const reported = reportedErrorAfterVerdict(call.reported, name);
    const marked = reported === undefined ? call : { ...call, reported };
    if (!hasFailed(marked)) return { ...marked, failure: null };
    const known = failureClass.safeParse(name);
    return { ...marked, failure: call.failure ?? (known.success ? known.data : null) };
  });
}

/**
 * Returns the stage after the one that just ended: an attempt at each request, then the judgement of each evaluated attempt.
 * All attempts are made before the first is judged, so that an external agent never waits for a judge.
 */
function nextStage(
  { requests, stage, attempts }: Pick<EvaluationCase, 'requests' | 'stage' | 'attempts'>,
  judges: boolean,
): EvaluationCase['stage'] {
  if (stage.kind === 'done') return stage;
  const ended = requests.indexOf(stage.side);
  const unmade = stage.kind === 'attempt' ? requests[ended + 1] : undefined;
  if (unmade !== undefined) return { kind: 'attempt', side: unmade };
  const unjudged = judges ? requests.slice(stage.kind === 'judgement' ? ended + 1 : 0) : [];
  const next = unjudged.find((name) => attempts[name]?.evaluated === true);
  return next === undefined ? { kind: 'done' } : { kind: 'judgement', side: next };
}
