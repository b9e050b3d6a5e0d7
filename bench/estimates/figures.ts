import type { StrategyName } from '#core/exploration/config.ts';
import { medianOf } from '../discovery/figures.ts';
import { countRounds, type Followed } from './follow.ts';

/** A followed run, in a world with this number of true transitions. */
export interface RunInWorld {
  readonly world: string;
  readonly transitions: number;
  /** Decided the world and the run. */
  readonly seed: number;
  readonly run: Followed;
}

/** The error of a share, over all readings of all runs. Null if there is none. */
export interface Distance {
  /** The mean of estimate - truth. */
  readonly bias: number | null;
  /** The mean of |estimate - truth|. */
  readonly error: number | null;
}

/** The accuracy of an estimated number of transitions after a round, over the runs that reached it. */
export interface CountFigures {
  readonly round: number;
  /** The median of estimate / true number. */
  readonly ratio: number;
  /** The share of runs whose 95% interval contains the true number. */
  readonly holds: number;
}

/** The accuracy of the estimate of all transitions by a recapture, over the readings that have one. Null if there is none. */
export interface RecaptureFigures {
  /** The share of readings, from the tenth round on, with an estimate. */
  readonly given: number | null;
  /** The share of them whose 95% interval contains what is estimated: how many there would be if those not found were as common as those found. */
  readonly holds: number | null;
  /** The median of estimate / that number. */
  readonly ratio: number | null;
  /** The median width of the interval, by that number. */
  readonly width: number | null;
  /** The share of them whose lower end is at most the number of all true transitions. */
  readonly lowHolds: number | null;
  /** The median of estimate / the number of all true transitions. */
  readonly ratioToAll: number | null;
}

/** The stop rule `probe`. */
export interface StopFigures {
  /** The share of runs that it stopped. */
  readonly stopped: number;
  /** The share of those runs in which the truth had reached the target. */
  readonly right: number | null;
  /** The median ratio of the stopping round to the round in which the truth reached the target, if both are known. */
  readonly lateness: number | null;
  /** The median stopping round. */
  readonly round: number | null;
}

export interface EstimateFigures {
  readonly runs: number;
  readonly probeCoverage: Distance & {
    /** The share of readings, from the tenth round on, whose 95% interval contains the truth. */
    readonly holds: number | null;
    /** The share of runs in which `anytimeLow` was never above the truth. */
    readonly anytimeHolds: number;
  };
  readonly sampleCoverage: Distance;
  readonly recapture: RecaptureFigures;
  /** Chao1 of the runs' own counts. */
  readonly ofRun: readonly CountFigures[];
  /** Chao1 of the probes alone. */
  readonly ofProbes: readonly CountFigures[];
  readonly stop: StopFigures;
}

/** The figures of one strategy in one world. */
export interface EstimateRow {
  readonly world: string;
  readonly strategy: StrategyName;
  readonly figures: EstimateFigures;
}

/** The figures of each strategy in each world, in the order of the runs. */
export function summarizeByWorldAndStrategy(runs: readonly RunInWorld[]): EstimateRow[] {
  const byWorld = Map.groupBy(runs, ({ world }) => world);
  return [...byWorld].flatMap(([world, own]) =>
    [...Map.groupBy(own, ({ run }) => run.strategy)].map(([strategy, alike]) => ({
      world,
      strategy,
      figures: summarizeEstimatesOfRuns(alike),
    })),
  );
}

/** Rounds with fewer probes have an interval too wide to be useful. */
const firstInterval = 10;

/** Summarizes runs of any worlds and strategies. At least one. */
export function summarizeEstimatesOfRuns(runs: readonly RunInWorld[]): EstimateFigures {
  const readings = runs.flatMap(({ run }) => run.readings);
  const probed = readings.flatMap(({ round, truth, probeCoverage }) =>
    probeCoverage === null ? [] : [{ round, truth, ...probeCoverage }],
  );
  return {
    runs: runs.length,
    probeCoverage: {
      ...computeBiasAndError(probed.map(({ value, truth }) => value - truth)),
      holds: shareThatSatisfiesOrNull(
        probed.filter(({ round }) => round >= firstInterval),
        ({ low, high, truth }) => low <= truth && truth <= high,
      ),
      anytimeHolds: shareThatSatisfiesOrNull(runs, ({ run }) => run.anytimeHeld) ?? 0,
    },
    sampleCoverage: computeBiasAndError(readings.map(({ sampleCoverage, truth }) => sampleCoverage - truth)),
    recapture: summarizeRecaptures(runs),
    ofRun: summarizeTransitionEstimatesByRound(runs, ({ ofRun }) => ofRun),
    ofProbes: summarizeTransitionEstimatesByRound(runs, ({ ofProbes }) => ofProbes),
    stop: summarizeStops(runs.map(({ run }) => run)),
  };
}

/** The figures of one run, which those of its world and strategy sum up. */
export function figuresOfRun(one: RunInWorld): object {
  const { runs: _, ...figures } = summarizeEstimatesOfRuns([one]);
  return { world: one.world, strategy: one.run.strategy, seed: one.seed, ...figures };
}

const meanOrNull = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

const shareThatSatisfiesOrNull = <T>(all: readonly T[], holds: (each: T) => boolean): number | null =>
  all.length === 0 ? null : all.filter(holds).length / all.length;

const medianOrNull = (values: readonly number[]): number | null => (values.length === 0 ? null : medianOf(values));

const computeBiasAndError = (differences: readonly number[]): Distance => ({
  bias: meanOrNull(differences),
  error: meanOrNull(differences.map(Math.abs)),
});

const summarizeTransitionEstimatesByRound = (
  runs: readonly RunInWorld[],
  part: (run: Followed) => Followed['ofRun'],
): CountFigures[] =>
  countRounds.flatMap((round) => {
    const counts = runs.flatMap(({ run, transitions }) =>
      part(run)
        .filter((count) => count.round === round)
        .map(({ estimate, low, high }) => ({
          ratio: estimate / transitions,
          holds: low <= transitions && transitions <= high,
        })),
    );
    const holds = shareThatSatisfiesOrNull(counts, (count) => count.holds);
    return holds === null ? [] : [{ round, ratio: medianOf(counts.map(({ ratio }) => ratio)), holds }];
  });

function summarizeRecaptures(runs: readonly RunInWorld[]): RecaptureFigures {
  const late = runs.flatMap(({ run, transitions }) =>
    run.readings.flatMap(({ round, recapture }) => (round < firstInterval ? [] : [{ recapture, transitions }])),
  );
  const given = late.flatMap(({ recapture, transitions }) =>
    recapture === null ? [] : [{ ...recapture, transitions }],
  );
  return {
    given: shareThatSatisfiesOrNull(late, ({ recapture }) => recapture !== null),
    // A share of a sum of floating-point numbers is exact to a few units of the last place.
    holds: shareThatSatisfiesOrNull(
      given,
      ({ low, high, truth }) => low <= truth * (1 + 1e-9) && truth <= high * (1 + 1e-9),
    ),
    ratio: medianOrNull(given.map(({ value, truth }) => value / truth)),
    width: medianOrNull(given.map(({ low, high, truth }) => (high - low) / truth)),
    lowHolds: shareThatSatisfiesOrNull(given, ({ low, transitions }) => low <= transitions),
    ratioToAll: medianOrNull(given.map(({ value, transitions }) => value / transitions)),
  };
}

function summarizeStops(runs: readonly Followed[]): StopFigures {
  const stopped = runs.flatMap(({ stop, targetRound }) => (stop === null ? [] : [{ ...stop, targetRound }]));
  return {
    stopped: stopped.length / runs.length,
    // The truth only grows, so if the rule stopped rightly, the truth had reached the target no later.
    right: shareThatSatisfiesOrNull(stopped, ({ round, targetRound }) => targetRound !== null && targetRound <= round),
    lateness: medianOrNull(
      stopped.flatMap(({ round, targetRound }) => (targetRound === null ? [] : [round / targetRound])),
    ),
    round: medianOrNull(stopped.map(({ round }) => round)),
  };
}
