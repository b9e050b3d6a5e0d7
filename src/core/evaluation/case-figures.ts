import { executionCompletionGap } from '#core/metrics/ecg.ts';
import { execution } from '#core/metrics/execution.ts';
import { failurePatternOf, type FailurePattern, type ToolTraits } from '#core/metrics/failure-patterns.ts';
import { metamorphicConsistency } from '#core/metrics/mtc.ts';
import { perUnit } from '#core/metrics/per-unit.ts';
import type { Score, UnscoredReason } from '#core/metrics/score.ts';
import type { FailureClass } from '#core/traces/failure.ts';
import { consecutivePairs, distinct, successful, type Transition } from '#core/traces/transitions.ts';
import { requestSide, type RequestSide } from '#core/units/unit.ts';
import { attemptRecord, restored, type AttemptRecord, type EvaluationCase } from './case.ts';

/**
 * What a case that is done adds to the figures of its evaluation, in a size that does not depend on what the agent did. It is
 * kept beside the case when it commits; every figure is made of these alone, of calls by tool and of transitions.
 */

/** The scores that an attempt has of its own. */
export const scoredMetrics = attemptRecord.shape.scores.keyof().options;

/** The metrics that a unit has. */
export const unitMetrics = ['execution', 'tcs', 'mtc', 'tfd', 'ar', 'uic', 'ecg', 'pass'] as const;
export type UnitMetric = (typeof unitMetrics)[number];

export interface AttemptFigures {
  readonly side: RequestSide;
  readonly evaluated: boolean;
  readonly relaunched: boolean;
  readonly durationMs: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
  /** Null where that is unscored. */
  readonly passed: boolean | null;
  /** Calls of an evaluated attempt that came to an answer, and those of them that failed. */
  readonly calls: number;
  readonly failedCalls: number;
  /** The reason of each score that is missing. */
  readonly unscored: Partial<Record<(typeof scoredMetrics)[number], UnscoredReason>>;
  /** Failed calls by class, where one was decided on. */
  readonly classes: Partial<Record<FailureClass, number>>;
  /** What broke it; null where nothing did. */
  readonly broken: string | null;
}

export interface CaseFigures {
  readonly unit: string;
  readonly agent: string;
  readonly trial: number;
  /** Null where a metric is unscored. */
  readonly values: Readonly<Record<UnitMetric, number | null>>;
  /** How it broke when only the wording changed; null where it did not, or was not evaluated. */
  readonly pattern: FailurePattern | null;
  /** Those that were made. */
  readonly attempts: readonly AttemptFigures[];
}

/** The figures of a case that is done; null for any other: it is no part of results yet. `traits` has at least the tools of the chain and of the calls. */
export function figuresOfCase(each: EvaluationCase, chain: readonly string[], traits: ToolTraits): CaseFigures | null {
  if (each.stage.kind !== 'done') return null;
  const { unit, agent, trial, attempts } = each;
  const both = bothAttempts(each);
  const tools = both === null ? null : ([toolsOf(both.source), toolsOf(both.followUp)] as const);
  return {
    unit,
    agent,
    trial,
    values: both === null ? noValues : valuesOf(both, traits),
    pattern: tools === null ? null : failurePatternOf(chain, ...tools, traits).pattern,
    attempts: requestSide.options.flatMap((side) => {
      const attempt = attempts[side];
      return attempt === null ? [] : [figuresOfAttempt(side, attempt)];
    }),
  };
}

/** The calls of a case's evaluated attempts that came to an answer, by tool, and how many of them failed. */
export function callsByTool(
  each: EvaluationCase,
): ReadonlyMap<string, { readonly calls: number; readonly failed: number }> {
  const found = new Map<string, { calls: number; failed: number }>();
  for (const { tool, outcome } of attemptsOf(each).flatMap(answeredCalls)) {
    const known = found.get(tool) ?? { calls: 0, failed: 0 };
    found.set(tool, { calls: known.calls + 1, failed: known.failed + (outcome === 'failure' ? 1 : 0) });
  }
  return found;
}

/** The transitions that a case's evaluated attempts executed, each once. */
export const transitionsIn = (each: EvaluationCase): Transition[] =>
  distinct(
    attemptsOf(each)
      .filter(({ evaluated }) => evaluated)
      .flatMap(({ calls }) =>
        consecutivePairs(successful(calls.map(({ tool, outcome }) => ({ tool, ok: outcome === 'success' })))),
      ),
  );

/** The attempts of a case that were made. */
export const attemptsOf = ({ attempts }: EvaluationCase): AttemptRecord[] =>
  [attempts.source, attempts.followUp].filter((attempt) => attempt !== null);

/** The tools of all calls, in the order in which the agent issued them. */
export const toolsOf = ({ calls }: AttemptRecord): string[] => calls.map(({ tool }) => tool);

interface BothAttempts {
  readonly source: AttemptRecord;
  readonly followUp: AttemptRecord;
}

/** Both attempts, or null where one was not made or an infrastructure fault broke it: then they cannot be compared. */
const bothAttempts = ({ attempts: { source, followUp } }: EvaluationCase): BothAttempts | null =>
  source?.evaluated === true && followUp?.evaluated === true ? { source, followUp } : null;

const noValues: CaseFigures['values'] = {
  execution: null,
  tcs: null,
  mtc: null,
  tfd: null,
  ar: null,
  uic: null,
  ecg: null,
  pass: null,
};

function valuesOf({ source, followUp }: BothAttempts, traits: ToolTraits): CaseFigures['values'] {
  const both = (metric: keyof AttemptRecord['scores']): Score =>
    perUnit(restored(source.scores[metric]), restored(followUp.scores[metric]));
  const called = [toolsOf(source), toolsOf(followUp)] as const;
  const categories = new Map(
    called.flat().flatMap((tool) => {
      const known = traits.get(tool);
      return known === undefined ? [] : [[tool, known.category] as const];
    }),
  );
  const mtc = metamorphicConsistency(...called, categories);
  const [tcs, ar, uic] = [both('tcs'), both('ar'), both('uic')];
  return {
    execution: execution(tcs, mtc).value,
    tcs: tcs.value,
    mtc: mtc.value,
    tfd: both('tfd').value,
    ar: ar.value,
    uic: uic.value,
    ecg: executionCompletionGap({ tcs, mtc, ar, uic }).value,
    pass: both('pass').value,
  };
}

function figuresOfAttempt(side: RequestSide, attempt: AttemptRecord): AttemptFigures {
  const { evaluated, relaunched, durationMs, usage, scores, fault } = attempt;
  const { promptTokens, completionTokens, costUsd } = usage;
  const calls = answeredCalls(attempt);
  const failed = calls.filter(({ outcome }) => outcome === 'failure');
  const classes: Partial<Record<FailureClass, number>> = {};
  for (const { failure } of failed) if (failure !== null) classes[failure] = (classes[failure] ?? 0) + 1;
  const unscored: AttemptFigures['unscored'] = {};
  for (const metric of scoredMetrics) {
    const score = scores[metric];
    if (!score.scored) unscored[metric] = score.reason;
  }
  return {
    side,
    evaluated,
    relaunched,
    durationMs,
    promptTokens,
    completionTokens,
    costUsd,
    passed: scores.pass.scored ? scores.pass.value === 1 : null,
    unscored,
    calls: calls.length,
    failedCalls: failed.length,
    classes,
    broken: evaluated || fault === null ? null : `${fault.where} ${fault.name}: ${fault.code}`,
  };
}

/** The calls of an evaluated attempt that came to an answer. */
const answeredCalls = ({ evaluated, calls }: AttemptRecord): AttemptRecord['calls'] =>
  evaluated ? calls.filter(({ outcome }) => outcome !== 'fault') : [];
