import type { TransitionRecord } from '#core/exploration/counts.ts';
import type { StrategyName } from '#core/exploration/config.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';
import { quantileOfSorted } from '#core/statistics/quantile.ts';

/** The compared figures. Shares are 0..1; `per100Units` counts all committed units, including lost ones and probes. */
export const figureNames = [
  'transitions',
  'per100Units',
  'nodeCoverage',
  'valuesPassed',
  'probeCoverage',
  'tokens',
  'tokensPerTransition',
  'accepted',
  'lost',
  'rejected',
  'dropped',
  'seconds',
] as const;
export type FigureName = (typeof figureNames)[number];

/** One of the compared explorations; a figure without a value is null. */
export interface AblationRun {
  readonly strategy: StrategyName;
  readonly seed: number;
  /** Units that it committed. */
  readonly units: number;
  readonly figures: Readonly<Record<FigureName, number | null>>;
  /** The transitions that it executed. */
  readonly executed: readonly TransitionRecord[];
}

/** A figure over the seeds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Each figure over the seeds that have it; null if none has. */
export type Summary = ReadonlyMap<FigureName, Spread | null>;

/** Returns the figures of a finished exploration with its transitions. */
export function ablationRunOfExploration(
  run: ExplorationRecord,
  transitions: readonly TransitionRecord[],
): AblationRun {
  const { accepted, lost, rejected, dropped } = run.units;
  const units = Object.values(run.units).reduce((sum, each) => sum + each, 0);
  const tokens = run.usage.promptTokens + run.usage.completionTokens;
  return {
    strategy: run.config.strategy,
    seed: run.config.seed,
    units,
    figures: {
      transitions: run.transitions,
      per100Units: units === 0 ? null : (100 * run.transitions) / units,
      nodeCoverage: run.reading?.nodeCoverage.value ?? null,
      valuesPassed: run.valuesPassed,
      probeCoverage: run.reading?.probeCoverage?.value ?? null,
      tokens,
      tokensPerTransition: run.transitions === 0 ? null : tokens / run.transitions,
      accepted,
      lost,
      rejected,
      dropped,
      seconds: run.endedAt === null ? null : (Date.parse(run.endedAt) - Date.parse(run.createdAt)) / 1_000,
    },
    // Transitions that accepted units expected but no unit executed are listed too.
    executed: transitions.filter(({ executed }) => executed > 0),
  };
}

/** Summarizes each strategy, in the order of their first runs. */
export function summarizeByStrategy(runs: readonly AblationRun[]): Map<StrategyName, Summary> {
  const byStrategy = Map.groupBy(runs, ({ strategy }) => strategy);
  return new Map([...byStrategy].map(([strategy, own]) => [strategy, summarizeRuns(own)]));
}

const summarizeRuns = (runs: readonly AblationRun[]): Summary =>
  new Map(figureNames.map((name) => [name, computeMedianAndRangeOrNull(runs.map(({ figures }) => figures[name]))]));

function computeMedianAndRangeOrNull(values: readonly (number | null)[]): Spread | null {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  return min === undefined || max === undefined ? null : { median: quantileOfSorted(sorted, 0.5), min, max };
}

/** Returns the transitions that any of the runs executed, each once, with the sum of its counts. */
export function mergeExecutedTransitions(runs: readonly Pick<AblationRun, 'executed'>[]): TransitionRecord[] {
  const union = new Map<string, TransitionRecord>();
  for (const each of runs.flatMap(({ executed }) => executed)) {
    const key = JSON.stringify([each.from, each.to]);
    const { executed, expected, valuePassed } = union.get(key) ?? { executed: 0, expected: 0, valuePassed: 0 };
    union.set(key, {
      from: each.from,
      to: each.to,
      executed: executed + each.executed,
      expected: expected + each.expected,
      valuePassed: valuePassed + each.valuePassed,
    });
  }
  return [...union.values()];
}
