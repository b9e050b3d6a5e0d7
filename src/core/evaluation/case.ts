import { z } from 'zod';
import { failureClass } from '#core/traces/failure.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { JudgedFailure } from '#core/traces/classify-trace.ts';
import type { InfrastructureFault } from '#core/faults.ts';
import type { ModelCall } from '#core/ports.ts';
import { makeInternalFault } from '#core/internal-fault.ts';
import { judgedKeys, measuredScores, type AttemptScores } from '#core/scoring/attempt-scores.ts';
import { score, makeUnscored } from '#core/scoring/score.ts';
import { buildByAttemptScorer, scorerKeys } from '#core/scoring/scorers.ts';
import { addUsage, noUsage, usage, sumUsage, type Usage } from '#core/models/usage.ts';
import { requestSide, type RequestSide } from '#core/units/unit.ts';

/**
 * A case: one agent, one unit, one trial, so two attempts. Like a unit of an exploration it is a pure state machine: a
 * driver asks for its `stage`, performs it and commits the result.
 */

/** The result of one attempt. */
export const attemptRecord = z.object({
  /** False if an infrastructure fault broke it twice: nothing is known about the agent. */
  evaluated: z.boolean(),
  relaunched: z.boolean(),
  /** In the order of issue; `failure` is the class of a failed call, null if none was decided. */
  calls: z.array(
    z.object({
      tool: z.string(),
      outcome: z.enum(['success', 'failure', 'fault']),
      failure: failureClass.nullable(),
    }),
  ),
  end: z.string(),
  response: z.string(),
  fault: z.object({ where: z.string(), name: z.string(), code: z.string(), detail: z.string() }).nullable(),
  scores: z.object(buildByAttemptScorer(() => score)),
  /** Usage of the agent, including what it spent on a try that a fault broke. */
  usage,
  durationMs: z.number(),
});
export type AttemptRecord = z.infer<typeof attemptRecord>;

export const caseStage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('attempt'), side: requestSide }),
  z.object({ kind: z.literal('judgement'), side: requestSide }),
  z.object({ kind: z.literal('done') }),
]);

export const evaluationCase = z.object({
  id: z.string(),
  unit: z.string(),
  agent: z.string(),
  trial: z.int().min(1),
  revision: z.int().min(0),
  stage: caseStage,
  /** Faults of the current attempt, the second of which ends it, and what was spent on them. */
  faults: z.int().min(0),
  wasted: usage,
  attempts: z.object({ source: attemptRecord.nullable(), followUp: attemptRecord.nullable() }),
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
      readonly side: RequestSide;
      readonly trace: Trace;
      readonly fault: InfrastructureFault | null;
      /** The calls of the agent's model; none if we did not see it. */
      readonly calls: readonly Pick<ModelCall, 'promptTokens' | 'completionTokens' | 'costUsd'>[];
      /** For imported attempts only, which are never retried here: whether the original harness retried it. */
      readonly elsewhere?: { readonly relaunched: boolean };
    }
  | {
      readonly kind: 'judgement';
      readonly side: RequestSide;
      /** The scores that need judges. */
      readonly scores: AttemptScores;
      /** Classes of the failed calls that no rule decided. */
      readonly classes: readonly JudgedFailure[];
      readonly calls: readonly ModelCall[];
    };

/** Faults after which an attempt is given up. */
const attemptsPerSide = 2;

export const newCase = (place: { id: string; unit: string; agent: string; trial: number }): EvaluationCase => ({
  ...place,
  revision: 0,
  stage: { kind: 'attempt', side: 'source' },
  faults: 0,
  wasted: noUsage,
  attempts: { source: null, followUp: null },
  scores: {},
  judgeUsage: noUsage,
});

/** Returns the case after a stage. Throws for a result of another stage, which is a defect of the caller. */
export function advanceCase(
  before: EvaluationCase,
  result: CaseResult,
  { chain, judges }: { readonly chain: readonly string[]; readonly judges: boolean },
): EvaluationCase {
  const { stage } = before;
  if (stage.kind !== result.kind || stage.side !== result.side) {
    throw new Error(`case ${before.id} is not at the ${result.kind} of its ${result.side}`);
  }
  const next = { ...before, revision: before.revision + 1 };
  if (result.kind === 'judgement') return withJudgement(next, result);
  const wasted = addUsage(before.wasted, sumUsage(result.calls));
  const { fault, elsewhere } = result;
  if (elsewhere === undefined && fault !== null && before.faults + 1 < attemptsPerSide && isWorthRetrying(fault)) {
    return { ...next, faults: before.faults + 1, wasted };
  }
  const attempts = {
    ...before.attempts,
    [result.side]: makeAttemptRecord(result, {
      chain,
      judges,
      relaunched: elsewhere?.relaunched ?? before.faults > 0,
      spent: wasted,
    }),
  };
  return {
    ...next,
    faults: 0,
    wasted: noUsage,
    attempts,
    stage: nextStage({ side: result.side, judged: false }, attempts, judges),
  };
}

/** Returns whether the case waits for an attempt at this request. */
export const isWaitingForAttempt = ({ stage }: EvaluationCase, side: RequestSide): boolean =>
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
export function failedStageResult({ stage }: Pick<EvaluationCase, 'stage'>, reason: string): CaseResult | null {
  switch (stage.kind) {
    case 'done':
      return null;
    case 'attempt': {
      const fault = makeInternalFault('attempt', reason);
      return { kind: 'attempt', side: stage.side, trace: emptyTrace(fault), fault, calls: [] };
    }
    case 'judgement': {
      const scores: AttemptScores = Object.fromEntries(judgedKeys.map((key) => [key, makeUnscored('internal', {})]));
      return { kind: 'judgement', side: stage.side, scores, classes: [], calls: [] };
    }
  }
}

const emptyTrace = (fault: InfrastructureFault): Trace => ({
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

function makeAttemptRecord(
  { trace, fault }: AttemptResult,
  {
    chain,
    judges,
    relaunched,
    spent,
  }: {
    readonly chain: readonly string[];
    readonly judges: boolean;
    readonly relaunched: boolean;
    readonly spent: Usage;
  },
): AttemptRecord {
  const broken = fault !== null;
  const reason = broken ? 'not-evaluated' : judges ? 'not-judged' : 'judges-off';
  const known = broken ? {} : measuredScores({ chain, trace });
  return {
    evaluated: !broken,
    relaunched,
    calls: trace.steps.map(({ tool, outcome, failure }) => ({
      tool,
      outcome,
      failure: failure === null || failure.source === 'undecided' ? null : failure.class,
    })),
    end: trace.end,
    response: trace.finalText,
    fault: fault === null ? null : { ...fault },
    scores: buildByAttemptScorer((key) => known[key] ?? makeUnscored(reason, {})),
    usage: spent,
    durationMs: trace.durationMs,
  };
}

function withJudgement(before: EvaluationCase, result: Extract<CaseResult, { kind: 'judgement' }>): EvaluationCase {
  const attempt = before.attempts[result.side];
  if (attempt === null) throw new Error(`case ${before.id} has no attempt to judge`);
  const scores = buildByAttemptScorer((key) => result.scores[key] ?? attempt.scores[key]);
  const attempts = {
    ...before.attempts,
    [result.side]: { ...attempt, scores, calls: withJudgedFailures(attempt.calls, result.classes) },
  };
  return {
    ...before,
    attempts,
    judgeUsage: addUsage(before.judgeUsage, sumUsage(result.calls)),
    stage: nextStage({ side: result.side, judged: true }, attempts, true),
  };
}

function withJudgedFailures(calls: AttemptRecord['calls'], judged: readonly JudgedFailure[]): AttemptRecord['calls'] {
  const classes = new Map(judged.map(({ step, class: name }) => [step, name]));
  return calls.map((call, place) =>
    call.outcome === 'failure' && call.failure === null ? { ...call, failure: classes.get(place) ?? null } : call,
  );
}

/**
 * Returns the stage that follows one. Both attempts are made before the first is judged, so that an external agent never
 * waits for a judge.
 */
function nextStage(
  ended: { readonly side: RequestSide; readonly judged: boolean },
  { source, followUp }: EvaluationCase['attempts'],
  judges: boolean,
): EvaluationCase['stage'] {
  if (!ended.judged && ended.side === 'source') return { kind: 'attempt', side: 'followUp' };
  if (!ended.judged && judges && source?.evaluated === true) return { kind: 'judgement', side: 'source' };
  const second = !ended.judged || ended.side === 'source';
  return second && judges && followUp?.evaluated === true ? { kind: 'judgement', side: 'followUp' } : { kind: 'done' };
}
