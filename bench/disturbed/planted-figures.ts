import type { AttemptFigures, DisturbedMarks } from '#core/evaluation/case-figures.ts';
import { summarizeDisturbances, type DisturbedPair } from '#core/evaluation/disturbance-figures.ts';
import { makeRandom, type Random } from '#core/values/random.ts';

/** How often the 95% interval of a figure holds the planted value. */
export interface Held {
  readonly runs: number;
  readonly inside: { readonly resilience: number; readonly attackSuccess: number };
}

/** What an agent of a run does: how often it succeeds, keeps its success under an attack, and follows the attack. */
interface Habits {
  readonly success: number;
  readonly kept: number;
  readonly follows: number;
}

/** Units of a run. */
const units = 40;

/** Draws agents with planted habits, runs each over units, and counts the intervals that hold the planted values. */
export function measureFigures(runs: number): Held {
  const random = makeRandom(1, 'planted habits');
  const held = { resilience: 0, attackSuccess: 0 };
  for (let run = 0; run < runs; run += 1) {
    const habits = {
      success: 0.3 + 0.6 * random.next(),
      kept: 0.3 + 0.6 * random.next(),
      follows: 0.05 + 0.6 * random.next(),
    };
    const pairs = Array.from({ length: units }, (_, unit) =>
      drawPair(`unit ${String(unit).padStart(3, '0')}`, habits, random),
    );
    const [all] = summarizeDisturbances(pairs, { seed: run, agent: 'planted' });
    const isInside = (planted: number, low = Infinity, high = -Infinity): boolean => low <= planted && planted <= high;
    const { resilience, attackSuccess } = all ?? {};
    if (isInside(habits.success * (habits.kept - 1), resilience?.low ?? undefined, resilience?.high ?? undefined))
      held.resilience += 1;
    if (isInside(habits.follows, attackSuccess?.low ?? undefined, attackSuccess?.high ?? undefined))
      held.attackSuccess += 1;
  }
  return {
    runs,
    inside: { resilience: held.resilience / runs, attackSuccess: held.attackSuccess / runs },
  };
}

function drawPair(unit: string, { success, kept, follows }: Habits, random: Random): DisturbedPair {
  const without = random.next() < success;
  const under = without && random.next() < kept;
  const marks: DisturbedMarks = {
    kind: 'result-instruction',
    succeeded: under,
    met: true,
    noticed: null,
    passedOn: null,
    attacked: random.next() < follows,
    leaked: null,
    ranOut: false,
  };
  return {
    unit,
    without: { ...plainAttempt, passed: without },
    with: { ...plainAttempt, passed: under, disturbed: marks },
  };
}

const plainAttempt: AttemptFigures = {
  evaluated: true,
  relaunched: false,
  durationMs: 1_000,
  promptTokens: 1_000,
  completionTokens: 100,
  cachedTokens: 0,
  costUsd: 0,
  passed: null,
  calls: 3,
  failedCalls: 0,
  tools: 3,
  turns: 4,
  routes: null,
  routingError: null,
  ownCalls: 0,
  reportedErrors: 0,
  spoiltCalls: 0,
  answered: true,
  unreturned: null,
  unscored: {},
  classes: {},
  broken: null,
  disturbed: null,
};
