import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { DisturbanceKey } from '#core/traces/disturbances/disturbances.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { StoredAgent } from './config.ts';
import type { EvaluationRecord, NewEvaluation } from './record.ts';
import { expectedSpread, type EarlierOutcomes } from './expected-spread.ts';
import { charsPerCall } from './chars-per-call.ts';

/** The tools and units of a new evaluation, and how the units are evaluated. */
export interface EvaluationBasis {
  readonly protocol: ProtocolKey;
  readonly tools: readonly Tool[];
  readonly units: UnitPages;
  /** What earlier agents came to at units; those that none of them had are absent. */
  readonly earlier?: ReadonlyMap<string, EarlierOutcomes>;
}

/** Units that are read page by page, because all of them may exceed the memory or a call between objects. */
export interface UnitPages {
  readonly count: number;
  pages(): AsyncIterable<readonly BenchmarkUnit[]>;
}

/** A part of the basis of an evaluation, with what determines the cases of its units. */
export interface BasisPage {
  readonly tools: readonly Tool[];
  readonly units: readonly BenchmarkUnit[];
  readonly agents: readonly Pick<StoredAgent, 'name' | 'loop'>[];
  readonly trials: number;
  /** Draws the order in which units are taken. */
  readonly seed: number;
  /** How the units are evaluated, which decides the requests of a case. */
  readonly protocol: ProtocolKey;
  /** The kinds of disturbances; absent for all of the protocol. */
  readonly kinds?: readonly DisturbanceKey[] | undefined;
  /** Whether the evaluation scores a submission, whose private units its leaderboard hands out. */
  readonly isSubmitted: boolean;
  /** How much agents are expected to differ at each of the units, 0..0.5, where they are drawn; absent where all are taken. */
  readonly spreads?: Readonly<Record<string, number>>;
}

/** The object in which an evaluation is created. */
export interface EvaluationCreator {
  /** Stores a part of the basis. Idempotent, and ignored once the evaluation exists. */
  storeBasisAndAddCases(page: BasisPage): Promise<void>;
  /**
   * Creates the evaluation once its whole basis is stored, and starts it. Repeating it returns the evaluation as it is.
   */
  createOnStoredBasis(evaluation: NewEvaluation): Promise<EvaluationRecord>;
}

/**
 * Creates an evaluation: first its tools and units page by page, then the run. If it is interrupted, there is no run;
 * repeating it with the same id continues.
 */
export async function createEvaluationOnBasis(
  run: EvaluationCreator,
  evaluation: Omit<NewEvaluation, 'tools' | 'units' | 'protocol'>,
  { protocol, tools, units, earlier }: EvaluationBasis,
): Promise<EvaluationRecord> {
  const cases = {
    agents: evaluation.agents.map(({ name, loop }) => ({ name, loop })),
    trials: evaluation.config.trials,
    seed: evaluation.config.seed,
    protocol,
    kinds: evaluation.config.disturb?.kinds,
    isSubmitted: evaluation.submission !== null,
  };
  for (const page of splitIntoPagesByJsonLength(tools, charsPerCall))
    await run.storeBasisAndAddCases({ ...cases, tools: page, units: [] });
  const isDrawn = evaluation.config.stop !== undefined;
  for await (const page of units.pages()) {
    const spreads = page.map(({ id }) => [id, expectedSpread(earlier?.get(id) ?? { scored: 0, sum: 0 })] as const);
    const drawn = isDrawn ? { spreads: Object.fromEntries(spreads) } : {};
    await run.storeBasisAndAddCases({ ...cases, ...drawn, tools: [], units: page });
  }
  return run.createOnStoredBasis({ ...evaluation, protocol, tools: tools.map(({ name }) => name), units: units.count });
}

/** Splits a list into pages of a maximum number of characters of JSON; an item that is larger is a page of its own. */
export function* splitIntoPagesByJsonLength<T>(items: readonly T[], chars: number): Generator<T[]> {
  let page: T[] = [];
  let filled = 0;
  for (const item of items) {
    const { length } = JSON.stringify(item);
    if (page.length > 0 && filled + length > chars) {
      yield page;
      page = [];
      filled = 0;
    }
    page.push(item);
    filled += length;
  }
  if (page.length > 0) yield page;
}
