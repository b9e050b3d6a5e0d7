import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import {
  advanceCase,
  isWaitingForAttempt,
  newCase,
  type AttemptRecord,
  type EvaluationCase,
} from '#core/evaluation/case.ts';
import type { AgentConfiguration } from '#core/evaluation/config.ts';
import { measuredKeys } from '#core/scoring/attempt-scores.ts';
import { getScorer } from '#core/scoring/scorers.ts';
import { isNear } from '#core/statistics/is-near.ts';
import { makeImportedAttempt } from '#core/submissions/imported-attempt.ts';
import type { TraceLine } from '#core/submissions/trace-file.ts';

/**
 * Rebuilds an agent's cases from its traces. The service computes its figures from these; the judges' grades are
 * missing.
 */
export class RetracedCases {
  readonly #chains: ReadonlyMap<string, readonly string[]>;
  readonly #cases = new Map<string, EvaluationCase>();

  constructor(units: readonly Pick<BenchmarkUnit, 'id' | 'chain'>[]) {
    this.#chains = new Map(units.map(({ id, chain }) => [id, chain]));
  }

  /**
   * Adds an attempt, in the order of the file with the source request first. Returns what is wrong with it, or null.
   */
  addOrProblem(line: TraceLine, configuration: AgentConfiguration): string | null {
    const { unit, trial, side, agent, scores } = line;
    const chain = this.#chains.get(unit);
    if (chain === undefined) return `the benchmark has no public unit ${unit}`;
    const id = `${unit}.${trial}`;
    const before = this.#cases.get(id) ?? newCase({ id, unit, agent, trial });
    if (!isWaitingForAttempt(before, side)) return 'the attempt at the source request is missing before it';
    const after = advanceCase(before, makeImportedAttempt(line, configuration), { chain, judges: false });
    this.#cases.set(id, after);
    const made = after.attempts[side];
    return made === null ? null : misstatementText(scores, made);
  }

  /** Returns the cases of which both attempts were made. */
  finishedCases(): EvaluationCase[] {
    return [...this.#cases.values()].filter(({ stage }) => stage.kind === 'done');
  }
}

function misstatementText(stated: TraceLine['scores'], { scores }: AttemptRecord): string | null {
  for (const key of measuredKeys) {
    const computed = scores[key].value;
    const said = stated[key];
    if (said !== undefined && !isNear(said, computed))
      return `it states a ${getScorer(key).title} of ${said ?? 'none'}, and its trace has ${computed ?? 'none'}`;
  }
  return null;
}
