import { collectAgentFigures, type AttemptSums } from '#core/evaluation/agent-figures.ts';
import { transitionKey, type UnitsByTransition } from '#core/evaluation/agent-transitions.ts';
import { makeBasisFromCases, type ResultsBasis } from '#core/evaluation/results-basis.ts';
import type { AttemptRecord, EvaluationCase } from '#core/evaluation/case.ts';
import {
  makeFiguresOfFinishedCaseOrNull,
  listExecutedTransitionsOfCase,
  type CaseFigures,
} from '#core/evaluation/case-figures.ts';
import { makeScore } from '#core/scoring/score.ts';
import type { FailureClass } from '#core/traces/failure.ts';
import { chain, finished, type Made } from './cases.ts';

/** Tools of two servers in two domains. */
export const tools: ResultsBasis['tools'] = [
  { name: 'fruit/apple', server: 'fruit', domain: 'food', category: 'read' },
  { name: 'fruit/pear', server: 'fruit', domain: 'food', category: 'read' },
  { name: 'trees/oak', server: 'trees', domain: 'forest', category: 'read' },
];

/** A basis of units with the chain of the fixtures, and of these tools. */
export const basisOf = (
  cases: readonly EvaluationCase[],
  more: Partial<Omit<ResultsBasis, 'agents'>> = {},
): ResultsBasis =>
  makeBasisFromCases(cases, {
    protocol: 'sgvef',
    units: ['u0', 'u1'].map((id) => ({ id, chain })),
    tools,
    trials: 1,
    seed: 1,
    ...more,
  });

/** What some cases keep for results. */
export const figuresOf = (cases: readonly EvaluationCase[]): CaseFigures[] =>
  cases.flatMap(
    (each) =>
      makeFiguresOfFinishedCaseOrNull(each, chain, new Map(tools.map((tool) => [tool.name, tool])), {
        protocol: 'sgvef',
      }) ?? [],
  );

/** The sums over the attempts of cases. */
export const sumsOf = (cases: readonly EvaluationCase[]): AttemptSums => collectAgentFigures(figuresOf(cases)).attempts;

/** In how many units some cases executed each transition. */
export const executedIn = (cases: readonly EvaluationCase[]): UnitsByTransition => {
  const units = new Map<string, Set<string>>();
  for (const each of cases)
    for (const [from, to] of each.stage.kind === 'done' ? listExecutedTransitionsOfCase(each) : []) {
      const key = transitionKey(from, to);
      units.set(key, (units.get(key) ?? new Set()).add(each.unit));
    }
  return new Map(Array.from(units, ([key, own]) => [key, own.size]));
};

/** An attempt that passes, and one that does not. */
export const passing: Made = { tools: chain };
export const failing: Made = { tools: chain, grades: { success: makeScore(0, {}) } };

/** A case whose failed calls have classes, those of the source first. */
export function classified(
  place: Parameters<typeof finished>[0],
  made: Made,
  ...classes: readonly (FailureClass | null)[]
): EvaluationCase {
  const each = finished(place, made);
  const left = [...classes];
  const decided = (attempt: AttemptRecord): AttemptRecord => ({
    ...attempt,
    calls: attempt.calls.map((call) =>
      call.outcome === 'failure' ? { ...call, failure: left.shift() ?? null } : call,
    ),
  });
  const attempts = Object.entries(each.attempts).map(([name, attempt]) => [name, decided(attempt)]);
  return { ...each, attempts: Object.fromEntries(attempts) };
}
