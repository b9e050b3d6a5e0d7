import { caseScores } from '#core/scoring/case-scores.ts';
import { findFailurePattern, type FailurePattern, type ToolTraits } from '#core/scoring/failure-patterns.ts';
import type { UnscoredReason } from '#core/scoring/score.ts';
import {
  attemptScorerKeys,
  buildByScorer,
  scorerKeys,
  successScorerKey,
  type AttemptScorerKey,
  type ScorerKey,
} from '#core/scoring/scorers.ts';
import type { FailureClass } from '#core/traces/failure.ts';
import { consecutivePairs, distinctTransitions, successfulTools, type Transition } from '#core/traces/transitions.ts';
import { requestSide, type RequestSide } from '#core/units/unit.ts';
import type { AttemptRecord, EvaluationCase } from './case.ts';

/**
 * A finished case's contribution to the figures of its evaluation, of a size that does not depend on what the agent
 * did. It is stored when the case commits; all figures are computed from these, from calls by tool and from
 * transitions.
 */

export interface AttemptFigures {
  readonly side: RequestSide;
  readonly evaluated: boolean;
  readonly relaunched: boolean;
  readonly durationMs: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
  /** Whether it succeeded; null if that is unscored. */
  readonly passed: boolean | null;
  /** Answered calls of an evaluated attempt, and how many of them failed. */
  readonly calls: number;
  readonly failedCalls: number;
  /** The reason of each missing score. */
  readonly unscored: Partial<Record<AttemptScorerKey, UnscoredReason>>;
  /** Failed calls by class, if one was decided. */
  readonly classes: Partial<Record<FailureClass, number>>;
  /** The fault that broke it, or null. */
  readonly broken: string | null;
}

export interface CaseFigures {
  readonly unit: string;
  readonly agent: string;
  readonly trial: number;
  /** By scorer; null if it is unscored. */
  readonly values: Readonly<Record<ScorerKey, number | null>>;
  /** How it failed when only the wording changed; null if it did not, or was not evaluated. */
  readonly pattern: FailurePattern | null;
  /** The attempts that were made. */
  readonly attempts: readonly AttemptFigures[];
}

/**
 * Returns the figures of a finished case; null for any other. `traits` must have the tools of the chain and of the
 * calls.
 */
export function makeCaseFigures(
  each: EvaluationCase,
  chain: readonly string[],
  traits: ToolTraits,
): CaseFigures | null {
  if (each.stage.kind !== 'done') return null;
  const { unit, agent, trial, attempts } = each;
  const both = bothAttempts(each);
  const scores = scorerKeys.every((key) => key in each.scores) ? each.scores : computeCaseScores(each, traits);
  const tools = both === null ? null : ([calledTools(both.source), calledTools(both.followUp)] as const);
  return {
    unit,
    agent,
    trial,
    values: buildByScorer((key) => scores[key]?.value ?? null),
    pattern: tools === null ? null : findFailurePattern(chain, ...tools, traits).pattern,
    attempts: requestSide.options.flatMap((side) => {
      const attempt = attempts[side];
      return attempt === null ? [] : [makeAttemptFigures(side, attempt)];
    }),
  };
}

/** Counts the answered calls of a case's evaluated attempts by tool, and how many of them failed. */
export function callsByTool(
  each: EvaluationCase,
): ReadonlyMap<string, { readonly calls: number; readonly failed: number }> {
  const found = new Map<string, { calls: number; failed: number }>();
  for (const { tool, outcome } of madeAttempts(each).flatMap(answeredCalls)) {
    const known = found.get(tool) ?? { calls: 0, failed: 0 };
    found.set(tool, { calls: known.calls + 1, failed: known.failed + (outcome === 'failure' ? 1 : 0) });
  }
  return found;
}

/** Returns the transitions that a case's evaluated attempts executed, each once. */
export const executedTransitions = (each: EvaluationCase): Transition[] =>
  distinctTransitions(
    madeAttempts(each)
      .filter(({ evaluated }) => evaluated)
      .flatMap(({ calls }) =>
        consecutivePairs(successfulTools(calls.map(({ tool, outcome }) => ({ tool, ok: outcome === 'success' })))),
      ),
  );

/** Returns the attempts of a case that were made. */
export const madeAttempts = ({ attempts }: EvaluationCase): AttemptRecord[] =>
  [attempts.source, attempts.followUp].filter((attempt) => attempt !== null);

/**
 * Returns the scores of a finished case; none if it is not finished or an attempt was not evaluated. `traits` must have
 * the tools of the calls.
 */
export function computeCaseScores(each: EvaluationCase, traits: ToolTraits): EvaluationCase['scores'] {
  const both = bothAttempts(each);
  if (each.stage.kind !== 'done' || both === null) return {};
  const called = [calledTools(both.source), calledTools(both.followUp)];
  const categories = new Map(
    called.flat().flatMap((tool) => {
      const known = traits.get(tool);
      return known === undefined ? [] : [[tool, known.category] as const];
    }),
  );
  return caseScores({ attempts: { source: both.source.scores, followUp: both.followUp.scores }, called, categories });
}

/** Returns the tools of all calls, in order of issue. */
export const calledTools = ({ calls }: AttemptRecord): string[] => calls.map(({ tool }) => tool);

interface BothAttempts {
  readonly source: AttemptRecord;
  readonly followUp: AttemptRecord;
}

/** Returns both attempts, or null if one was not made or a fault broke it, because then they cannot be compared. */
const bothAttempts = ({ attempts: { source, followUp } }: EvaluationCase): BothAttempts | null =>
  source?.evaluated === true && followUp?.evaluated === true ? { source, followUp } : null;

function makeAttemptFigures(side: RequestSide, attempt: AttemptRecord): AttemptFigures {
  const { evaluated, relaunched, durationMs, usage, scores, fault } = attempt;
  const { promptTokens, completionTokens, costUsd } = usage;
  const calls = answeredCalls(attempt);
  const failed = calls.filter(({ outcome }) => outcome === 'failure');
  const classes: Partial<Record<FailureClass, number>> = {};
  for (const { failure } of failed) if (failure !== null) classes[failure] = (classes[failure] ?? 0) + 1;
  const unscored: AttemptFigures['unscored'] = {};
  for (const key of attemptScorerKeys) {
    const score = scores[key];
    if (score.value === null) unscored[key] = score.reason;
  }
  return {
    side,
    evaluated,
    relaunched,
    durationMs,
    promptTokens,
    completionTokens,
    costUsd,
    passed: scores[successScorerKey].value === null ? null : scores[successScorerKey].value === 1,
    unscored,
    calls: calls.length,
    failedCalls: failed.length,
    classes,
    broken: evaluated || fault === null ? null : `${fault.where} ${fault.name}: ${fault.code}`,
  };
}

/** The answered calls of an evaluated attempt. */
const answeredCalls = ({ evaluated, calls }: AttemptRecord): AttemptRecord['calls'] =>
  evaluated ? calls.filter(({ outcome }) => outcome !== 'fault') : [];
