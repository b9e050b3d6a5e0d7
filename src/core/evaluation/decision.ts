import { z } from 'zod';
import { DrawnMean } from '#core/statistics/drawn-mean.ts';
import { SignFlips } from '#core/statistics/sign-flips.ts';

/** When an evaluation ends before all attempts were made: once its agents are told apart. */
export const stopRule = z.strictObject({
  kind: z.literal('decided'),
  /** The largest difference of the headline that does not matter. */
  difference: z.number().gt(0).lt(1).default(0.1),
  /** The largest probability with which a decision is wrong, over all pairs of agents. */
  error: z.number().min(0.001).max(0.2).default(0.05),
});
export type StopRule = z.infer<typeof stopRule>;

/** `better`, `worse`: the second agent of a pair is. `undecided`: the units so far do not tell. */
export const pairVerdicts = ['better', 'worse', 'no-difference', 'undecided'] as const;

/** Two agents on the drawn units; differences are those of B minus A, as means over all planned units. */
export const pairDecision = z.object({
  a: z.string(),
  b: z.string(),
  /** The unbiased estimate; null before the first unit. */
  difference: z.number().nullable(),
  /** Each bound is ever wrong with at most the error of one pair. */
  low: z.number(),
  high: z.number(),
  verdict: z.enum(pairVerdicts),
  /** How many units told; null as long as they do not. */
  decidedAfter: z.int().nullable(),
  /** Units that count. */
  units: z.int(),
  /** Units among them that are not scored for both agents: they count as no difference. */
  unscored: z.int(),
});
export type PairDecision = z.infer<typeof pairDecision>;

/** The mean of an agent's headline over all planned units, from those that were drawn. */
const drawnMeanOfAgent = z.object({
  agent: z.string(),
  /** The unbiased estimate, cut to 0..1; null before the first unit. */
  mean: z.number().nullable(),
  /** The bounds of a 95% interval that holds however often one looks. */
  low: z.number(),
  high: z.number(),
  units: z.int(),
  /** Units among them without a score, which count as one half. */
  unscored: z.int(),
});

/** What the drawn units say of the agents of an evaluation. */
export const decision = z.object({
  /** The largest difference that does not matter, and the error over all pairs. */
  difference: z.number(),
  error: z.number(),
  /** Units that were drawn and are done, and all that were planned. */
  units: z.int(),
  of: z.int(),
  isDecided: z.boolean(),
  /** The agent that is better than all others; null as long as there is none. */
  best: z.string().nullable(),
  pairs: z.array(pairDecision),
  means: z.array(drawnMeanOfAgent),
});
export type Decision = z.infer<typeof decision>;

/** Units drawn together, whose attempts are made before more are drawn. */
export interface DrawnBatch {
  readonly units: readonly DrawnUnit[];
  /** The share of what all units are expected to tell that this batch and those before it have, 0..1. */
  readonly share: number;
}

/** A drawn unit, as far as the decision depends on it. */
export interface DrawnUnit {
  readonly unit: string;
  readonly probability: number;
  readonly leastProbability: number;
}

/** The value of an agent at a drawn unit, 0..1; null without a score, undefined if it did not get the unit. */
export type ValueAt = (agent: string, unit: string) => number | null | undefined;

/**
 * Decides between agents by the units that were drawn so far, batch by batch: the same draws and values always give the same
 * decision. The error is divided among the pairs (Bonferroni).
 *
 * - Better or worse: the bounds of the mean difference over all planned units exclude 0, and the signs of the differences are no
 *   chance. Either alone would not do: the first speaks of the attempts as they would turn out, which may differ by chance, the second of
 *   no mean.
 * - No difference larger than d: both bounds lie within -d and d.
 */
export function decideBetweenAgents(
  { agents, size, stop }: { readonly agents: readonly string[]; readonly size: number; readonly stop: StopRule },
  batches: readonly DrawnBatch[],
  valueAt: ValueAt,
): Decision {
  const couples = agents.flatMap((a, place) => agents.slice(place + 1).map((b) => [a, b] as const));
  const error = stop.error / Math.max(1, couples.length);
  const pairs = couples.map(([a, b]) => decidePair({ a, b, size, error, d: stop.difference }, batches, valueAt));
  return {
    difference: stop.difference,
    error: stop.error,
    units: batches.reduce((sum, { units }) => sum + units.length, 0),
    of: size,
    isDecided: pairs.every(({ verdict }) => verdict !== 'undecided'),
    best: agents.find((agent) => isBetterThanAllOthers(agent, pairs)) ?? null,
    pairs,
    means: agents.map((agent) => meanOfAgent(agent, size, batches, valueAt)),
  };
}

/** Returns the agents that some pair still needs units of. */
export const listUndecidedAgents = (agents: readonly string[], { pairs }: Pick<Decision, 'pairs'>): string[] =>
  agents.filter((agent) => pairs.some(({ a, b, verdict }) => verdict === 'undecided' && (a === agent || b === agent)));

/** Returns how many units are drawn at once, of so many: a fortieth, and at least four. */
export const unitsOfDraw = (units: number): number => Math.max(4, Math.ceil(units / 40));

interface AskedPair {
  readonly a: string;
  readonly b: string;
  readonly size: number;
  readonly error: number;
  readonly d: number;
}

function decidePair(
  { a, b, size, error, d }: AskedPair,
  batches: readonly DrawnBatch[],
  valueAt: ValueAt,
): PairDecision {
  const mean = new DrawnMean(size, error);
  const signs = new SignFlips(size, error);
  const counted = { units: 0, unscored: 0 };
  let verdict: PairDecision['verdict'] = 'undecided';
  for (const { units, share } of batches) {
    for (const { unit, ...chances } of units) {
      const [ofA, ofB] = [valueAt(a, unit), valueAt(b, unit)];
      // An agent all of whose pairs were decided gets no more units.
      if (ofA === undefined || ofB === undefined) continue;
      const isScored = ofA !== null && ofB !== null;
      const value = isScored ? ofB - ofA : 0;
      mean.add({ value, ...chances });
      signs.add(value);
      counted.units += 1;
      counted.unscored += isScored ? 0 : 1;
    }
    signs.look(share);
    verdict = verdictOf(mean.interval, signs.side, d);
    if (verdict !== 'undecided') break;
  }
  const { interval, estimate } = mean;
  const decidedAfter = verdict === 'undecided' ? null : counted.units;
  return { a, b, difference: estimate, ...interval, verdict, decidedAfter, ...counted };
}

function verdictOf(
  { low, high }: { readonly low: number; readonly high: number },
  side: SignFlips['side'],
  d: number,
): PairDecision['verdict'] {
  if (low > 0 && side > 0) return 'better';
  if (high < 0 && side < 0) return 'worse';
  return low >= -d && high <= d ? 'no-difference' : 'undecided';
}

function isBetterThanAllOthers(agent: string, pairs: readonly PairDecision[]): boolean {
  const own = pairs.filter(({ a, b }) => a === agent || b === agent);
  return own.length > 0 && own.every(({ b, verdict }) => verdict === (b === agent ? 'better' : 'worse'));
}

function meanOfAgent(
  agent: string,
  size: number,
  batches: readonly DrawnBatch[],
  valueAt: ValueAt,
): Decision['means'][number] {
  const mean = new DrawnMean(size, 0.025);
  const counted = { units: 0, unscored: 0 };
  for (const { unit, ...chances } of batches.flatMap(({ units }) => units)) {
    const value = valueAt(agent, unit);
    if (value === undefined) continue;
    mean.add({ value: 2 * (value ?? 0.5) - 1, ...chances });
    counted.units += 1;
    counted.unscored += value === null ? 1 : 0;
  }
  const toShare = (centred: number): number => Math.min(1, Math.max(0, (centred + 1) / 2));
  const { interval, estimate } = mean;
  return {
    agent,
    mean: estimate === null ? null : toShare(estimate),
    low: toShare(interval.low),
    high: toShare(interval.high),
    ...counted,
  };
}
