import { sampleCoverage } from '#core/statistics/richness/sample-coverage.ts';
import { z } from 'zod';
import { estimateAllTransitions } from '#core/exploration/all-transitions.ts';
import { strategyName, type StrategyName } from '#core/exploration/config.ts';
import type { ExplorationState } from '#core/exploration/state.ts';
import { stopRuleReasonOrNull } from '#core/exploration/stop.ts';
import { iterateTableValuesUnordered } from '#core/exploration/table.ts';
import { makeAbundanceFromCounts } from '#core/statistics/richness/abundance.ts';
import { type Chao1, chao1WithInterval } from '#core/statistics/richness/chao1.ts';
import { simulateRoundsEndlessly } from '../discovery/run.ts';
import { worldFile } from '../discovery/world-file.ts';
import { makeWorld, type World } from '../discovery/world.ts';
import { KnownShare, type Truth, estimateTransitionRatesPerProbe } from './truth.ts';

/** A world, and the strategies whose estimates are compared with its truth. */
export const followJob = z.strictObject({
  file: worldFile,
  /** Determines the world, its fresh probes and the runs. */
  seed: z.int(),
  strategies: z.array(strategyName),
  /** Rounds whose readings are compared. */
  rounds: z.int(),
  /** Rounds within which the stop rule may apply. */
  stopRounds: z.int(),
  /** Target of the stop rule, 0..1. */
  target: z.number(),
});
export type FollowJob = z.infer<typeof followJob>;

const interval = { low: z.number(), high: z.number() };
const count = z.object({ round: z.int(), estimate: z.number(), ...interval });

/** What a run estimated and what was true, round by round. Shares are 0..1. */
const followed = z.object({
  strategy: strategyName,
  readings: z.array(
    z.object({
      round: z.int(),
      /** The probability that a transition of a fresh probe is known. */
      truth: z.number(),
      probeCoverage: z.object({ value: z.number(), ...interval }).nullable(),
      sampleCoverage: z.number(),
      /** How many transitions there are in all by a recapture, which every strategy's probes allow; null while they are too few. */
      recapture: z
        .object({
          value: z.number(),
          ...interval,
          /** Found transitions by the true share of a fresh probe's transitions that are known: what it estimates. */
          truth: z.number(),
        })
        .nullable(),
    }),
  ),
  /** Chao1 of the run's own counts, in transitions. */
  ofRun: z.array(count),
  /** Chao1 of its probes alone. */
  ofProbes: z.array(count),
  /** Whether `anytimeLow` was never above the truth in any observed round. */
  anytimeHeld: z.boolean(),
  /** When the stop rule first applied, and what was true then; null if it never did. */
  stop: z.object({ round: z.int(), truth: z.number() }).nullable(),
  /** The first round in which the truth was at least the target; null if it never was. */
  targetRound: z.int().nullable(),
});
export type Followed = z.infer<typeof followed>;

export const followedWorld = z.object({
  /** The largest standard error of its truths. */
  error: z.number(),
  runs: z.array(followed),
});

/** Rounds after which the numbers of transitions are estimated. */
export const countRounds = [10, 30, 60] as const;

/** Follows a run of each strategy in a world. */
export function followStrategiesInWorld(job: FollowJob): z.infer<typeof followedWorld> {
  const world = makeWorld(job.file, job.seed);
  const truth = estimateTransitionRatesPerProbe(world, job.seed);
  return {
    error: truth.error,
    runs: job.strategies.map((strategy) => measureRunAgainstTruth(world, truth, strategy, job)),
  };
}

/** Follows a run until everything requested is known, or its rounds are over. */
export function measureRunAgainstTruth(
  world: World,
  truth: Truth,
  strategy: StrategyName,
  { seed, rounds, stopRounds, target }: Pick<FollowJob, 'seed' | 'rounds' | 'stopRounds' | 'target'>,
): Followed {
  const known = new KnownShare(truth);
  const readings: Followed['readings'] = [];
  const ofRun: Followed['ofRun'] = [];
  const ofProbes: Followed['ofProbes'] = [];
  let anytimeHeld = true;
  let stop: Followed['stop'] = null;
  let targetRound: number | null = null;
  for (const { state, reading, discovered } of simulateRoundsEndlessly(world, strategy, seed)) {
    const { round, probeCoverage } = reading;
    const share = known.addTransitionsAndComputeShare(discovered);
    if ((probeCoverage?.anytimeLow ?? 0) > share) anytimeHeld = false;
    if (share >= target) targetRound ??= round;
    if (round <= stopRounds && stopRuleReasonOrNull({ rule: 'probe', target }, reading, []) !== null)
      stop ??= { round, truth: share };
    if (round <= rounds) {
      readings.push({
        round,
        truth: share,
        probeCoverage,
        sampleCoverage: sampleCoverage(state.abundance),
        recapture: recaptureBesideTruth(state, share),
      });
      if (countRounds.some((each) => each === round)) {
        ofRun.push(chao1OfRound(round, reading.chao1));
        ofProbes.push(chao1OfRound(round, chao1OfProbes(state)));
      }
    }
    const settled = stop !== null && targetRound !== null;
    if (round >= rounds && (settled || round >= stopRounds)) break;
  }
  return { strategy, readings, ofRun, ofProbes, anytimeHeld, stop, targetRound };
}

/** The estimate that the displays show under a strategy that steers. */
function recaptureBesideTruth(
  { catalog, abundance, probes: { sums: probes, unfound } }: ExplorationState,
  share: number,
): Followed['readings'][number]['recapture'] {
  const found = { tools: catalog.tools.length, abundance, probes, unfound };
  const { estimate, possible } = estimateAllTransitions('frontier', found);
  if (estimate === null) return null;
  const { value, low, high } = estimate;
  return { value, low, high, truth: share === 0 ? possible : Math.min(possible, abundance.S / share) };
}

const chao1OfRound = (round: number, { estimate, low, high }: Chao1): Followed['ofRun'][number] => ({
  round,
  estimate,
  low,
  high,
});

/** Computes Chao1 from how many probes showed each transition, which nothing steers. */
function chao1OfProbes({ probes }: Pick<ExplorationState, 'probes'>): Chao1 {
  const times = new Map<number, number>();
  for (const { transitions } of iterateTableValuesUnordered(probes.probes))
    for (const transition of transitions) times.set(transition, (times.get(transition) ?? 0) + 1);
  return chao1WithInterval(makeAbundanceFromCounts(times.values()));
}
