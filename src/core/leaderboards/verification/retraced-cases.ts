import {
  argumentOriginsOfUnit,
  isNegativeBenchmarkUnit,
  unitTruthIfTask,
  type BenchmarkUnit,
} from '#core/benchmarks/benchmark.ts';
import { requestTextOrThrow } from '#core/benchmarks/protocols/case-requests.ts';
import {
  listRequestNamesOfUnit,
  scorerKeysOfProtocol,
  type ProtocolKey,
} from '#core/benchmarks/protocols/protocols.ts';
import {
  caseAfterStageResult,
  waitsForAttemptAtRequest,
  newCase,
  type AttemptRecord,
  type EvaluationCase,
} from '#core/evaluation/case.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { isEqualUpToRounding } from '#core/statistics/is-near.ts';
import { makeImportedAttempt } from '../submissions/imported-attempt.ts';
import { listStatedScorerKeys, type TraceHeader, type TraceLine } from '../submissions/trace-file.ts';

/**
 * Rebuilds an agent's cases from its traces. The service computes its figures from these; the judges' grades are
 * missing.
 */
export class RetracedCases {
  readonly #units: ReadonlyMap<string, BenchmarkUnit>;
  readonly #cases = new Map<string, EvaluationCase>();

  constructor(units: readonly BenchmarkUnit[]) {
    this.#units = new Map(units.map((unit) => [unit.id, unit]));
  }

  /**
   * Adds an attempt, in the order of the file, which is that of the requests. Returns what is wrong with it, or null.
   */
  addAttemptAndReturnProblem(
    line: TraceLine,
    { configuration, scoring, protocol }: Pick<TraceHeader, 'configuration' | 'scoring' | 'protocol'>,
  ): string | null {
    const { unit, trial, side, agent, scores } = line;
    const expected = this.#units.get(unit);
    if (expected === undefined) return `the benchmark has no public unit ${unit}`;
    const id = `${unit}.${trial}`;
    const requests = listRequestNamesOfUnit(protocol, expected);
    const before = this.#cases.get(id) ?? newCase({ id, unit, agent, trial, requests });
    if (!waitsForAttemptAtRequest(before, side)) return 'the attempt at an earlier request is missing before it';
    const after = caseAfterStageResult(before, makeImportedAttempt(line, configuration), {
      isNegative: isNegativeBenchmarkUnit(expected),
      chain: expected.chain,
      origins: argumentOriginsOfUnit(expected),
      truth: unitTruthIfTask(expected),
      request: requestTextOrThrow(expected, side),
      judges: false,
      asked: scorerKeysOfProtocol(protocol),
      scoring,
    });
    this.#cases.set(id, after);
    const made = after.attempts[side];
    return made === undefined ? null : findMisstatedScoreTextOrNull(scores, made, protocol);
  }

  /** Returns the cases of which all attempts were made. */
  listFinishedCases(): EvaluationCase[] {
    return [...this.#cases.values()].filter(({ stage }) => stage.kind === 'done');
  }
}

function findMisstatedScoreTextOrNull(
  stated: TraceLine['scores'],
  { scores }: AttemptRecord,
  protocol: ProtocolKey,
): string | null {
  for (const key of listStatedScorerKeys(protocol)) {
    const computed = scores[key].value;
    const said = stated[key];
    if (said !== undefined && !isEqualUpToRounding(said, computed))
      return `it states a ${getScorerOrThrow(key).title} of ${said ?? 'none'}, and its trace has ${computed ?? 'none'}`;
  }
  return null;
}
