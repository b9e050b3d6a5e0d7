import { z } from 'zod';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { detectableBySequenceOrNull } from '#core/statistics/power.ts';
import type { Interval } from '#core/statistics/wilson.ts';
import { AnytimeMean } from '#core/statistics/anytime-mean.ts';
import type { CaseFigures } from './case-figures.ts';
import { scorerKeys } from './scorers.ts';

/** What agents are compared by besides the headline: what an attempt takes, of which less is better. */
export const effortMeasures = ['tokens', 'costUsd', 'durationMs', 'calls'] as const;
export type EffortMeasure = (typeof effortMeasures)[number];

/** The mean over the units that count, and the confidence sequence of it at this moment. */
const sequence = z.object({
  mean: z.number().nullable(),
  low: z.number(),
  high: z.number(),
  /** The true difference that it shows at this moment in four of five; null for fewer than six units. Absent in earlier releases. */
  detectable: z.number().nullable().optional(),
});
export type Sequence = z.infer<typeof sequence>;

/** A mean over the units that count; null without any, and for costs where no model has a price. */
const mean = z.number().nullable();

/**
 * How agents that differ in how tools are offered to their model do on the same units. All of its intervals hold together with 95%,
 * however often one looks.
 */
export const offering = z.object({
  /** The headline of the protocol, 0..1. */
  scorer: z.enum(scorerKeys),
  /** The largest difference of it that does not matter. */
  d: z.number(),
  /** Units that count: those that all agents have finished, as far as no unit before them is open. */
  units: z.int(),
  /** Units among them that are not scored for all agents, which are left out. */
  leftOut: z.int(),
  /** All units of the evaluation. */
  of: z.int(),
  /** By what an agent counts as cheaper: by costs where all of them are known, else by tokens. */
  cheaperBy: z.enum(['costUsd', 'tokens']),
  /** Means per attempt over the units that count and are scored. Tokens include those that came from a cache. */
  agents: z.array(
    z.object({
      agent: z.string(),
      success: mean,
      tokens: mean,
      cachedTokens: mean,
      costUsd: mean,
      durationMs: mean,
      calls: mean,
      /** Another agent does as well and takes less, or does better. */
      ruledOutBy: z.string().nullable(),
    }),
  ),
  /** Each agent beside each later one: the second minus the first. */
  pairs: z.array(
    z.object({
      a: z.string(),
      b: z.string(),
      success: sequence,
      /** By measure: the difference in a unit, in shares of the larger of the two to hundredths, -1..1; -0.5: B takes half of what A takes. */
      efforts: z.record(z.enum(effortMeasures), sequence),
    }),
  ),
  /** The agent that rules all others out; null as long as it is undecided. */
  suits: z.string().nullable(),
});
export type Offering = z.infer<typeof offering>;

/** What an agent's attempts at a unit came to: means over them. */
interface UnitOutcome extends Readonly<Record<EffortMeasure, number>> {
  readonly trials: number;
  readonly success: number | null;
  readonly cachedTokens: number;
}

/** Returns what an agent's attempts at a unit came to. */
export function summariseUnitForOffering(
  cases: readonly [CaseFigures, ...CaseFigures[]],
  protocol: ProtocolKey,
): UnitOutcome {
  const { headline } = getProtocol(protocol);
  const values = cases.map(({ values: of }) => of[headline]);
  const scored = values.filter((value) => value !== null);
  const attempts = cases.flatMap(({ attempts: made }) => made);
  const meanOf = (take: (attempt: (typeof attempts)[number]) => number): number =>
    attempts.reduce((sum, each) => sum + take(each), 0) / Math.max(1, attempts.length);
  return {
    trials: cases.length,
    success: scored.length === 0 ? null : scored.reduce((sum, value) => sum + value, 0) / scored.length,
    tokens: meanOf(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
    cachedTokens: meanOf(({ cachedTokens }) => cachedTokens),
    costUsd: meanOf(({ costUsd }) => costUsd),
    durationMs: meanOf(({ durationMs }) => durationMs),
    calls: meanOf(({ calls }) => calls),
  };
}

interface Basis {
  readonly protocol: ProtocolKey;
  readonly trials: number;
  /** The units in the order in which the evaluation takes them. */
  readonly order: readonly string[];
}

/** All intervals together miss with at most this probability. */
const missing = 0.05;

/**
 * Compares all agents with each other on the units of an evaluation in the order in which it takes them, up to the first that one of
 * them has not finished. The values of each unit count once it is scored for all.
 */
export function compareOffering(
  d: number,
  { protocol, trials, order }: Basis,
  agents: ReadonlyMap<string, ReadonlyMap<string, UnitOutcome>>,
): Offering {
  const names = [...agents.keys()];
  const confidence = 1 - missing / Math.max(1, ((names.length * (names.length - 1)) / 2) * (1 + effortMeasures.length));
  const pairs = names.flatMap((a, at) => names.slice(at + 1).map((b) => new PairSequences(a, b, confidence)));
  const counted: ReadonlyMap<string, UnitOutcome>[] = [];
  let units = 0;
  for (const unit of order) {
    const outcomes = new Map(names.flatMap((name) => pairOrNone(name, agents.get(name)?.get(unit))));
    if (outcomes.size < names.length || [...outcomes.values()].some((each) => each.trials < trials)) break;
    units += 1;
    if ([...outcomes.values()].some(({ success }) => success === null)) continue;
    counted.push(outcomes);
    for (const pair of pairs) pair.add(outcomes);
  }
  const compared = pairs.map((pair) => pair.read());
  const hasCosts = names.every((name) => counted.some((of) => (of.get(name)?.costUsd ?? 0) > 0));
  const cheaperBy = hasCosts ? 'costUsd' : 'tokens';
  const ruledOutBy = (name: string): string | null =>
    names.find((other) => other !== name && doesRuleOut(other, name, compared, { d, cheaperBy })) ?? null;
  const suits = names.filter((name) =>
    names.every((other) => other === name || doesRuleOut(name, other, compared, { d, cheaperBy })),
  );
  const meanOf = (name: string, take: (of: UnitOutcome) => number | null): number | null =>
    counted.length === 0
      ? null
      : counted.reduce((sum, of) => sum + (takeOrNull(of.get(name), take) ?? 0), 0) / counted.length;
  return {
    scorer: getProtocol(protocol).headline,
    d,
    units,
    leftOut: units - counted.length,
    of: order.length,
    cheaperBy,
    agents: names.map((agent) => ({
      agent,
      success: meanOf(agent, (of) => of.success),
      tokens: meanOf(agent, (of) => of.tokens),
      cachedTokens: meanOf(agent, (of) => of.cachedTokens),
      costUsd: hasCosts ? meanOf(agent, (of) => of.costUsd) : null,
      durationMs: meanOf(agent, (of) => of.durationMs),
      calls: meanOf(agent, (of) => of.calls),
      ruledOutBy: ruledOutBy(agent),
    })),
    pairs: compared,
    suits: names.length > 1 ? (suits[0] ?? null) : null,
  };
}

const pairOrNone = <T>(name: string, value: T | undefined): [string, T][] =>
  value === undefined ? [] : [[name, value]];

const takeOrNull = (of: UnitOutcome | undefined, take: (of: UnitOutcome) => number | null): number | null =>
  of === undefined ? null : take(of);

type Pair = Offering['pairs'][number];

/**
 * Returns whether an agent leaves no reason to choose another one: it takes less and is not worse by more than d, or it is better
 * and the other one does not take less at a success that is as good.
 */
function doesRuleOut(
  one: string,
  other: string,
  pairs: readonly Pair[],
  { d, cheaperBy }: Pick<Offering, 'd' | 'cheaperBy'>,
): boolean {
  const pair = pairs.find(({ a, b }) => (a === one && b === other) || (a === other && b === one));
  if (pair === undefined) return false;
  const seenFrom = (of: Sequence): Interval => (pair.b === one ? of : { low: -of.high, high: -of.low });
  const [better, cost] = [seenFrom(pair.success), seenFrom(pair.efforts[cheaperBy])];
  if (better.low >= -d && cost.high < 0) return true;
  const isOtherAsGoodForLess = better.high <= d && cost.low > 0;
  return better.low > 0 && !isOtherAsGoodForLess;
}

/** The differences of two agents, unit by unit. */
class PairSequences {
  readonly #a: string;
  readonly #b: string;
  readonly #success: Differences;
  readonly #efforts: Readonly<Record<EffortMeasure, Differences>>;

  constructor(a: string, b: string, confidence: number) {
    this.#a = a;
    this.#b = b;
    this.#success = new Differences(confidence);
    this.#efforts = {
      tokens: new Differences(confidence),
      costUsd: new Differences(confidence),
      durationMs: new Differences(confidence),
      calls: new Differences(confidence),
    };
  }

  add(outcomes: ReadonlyMap<string, UnitOutcome>): void {
    const [first, second] = [outcomes.get(this.#a), outcomes.get(this.#b)];
    if (first === undefined || second === undefined) return;
    this.#success.add((second.success ?? 0) - (first.success ?? 0));
    for (const measure of effortMeasures) {
      const larger = Math.max(first[measure], second[measure]);
      this.#efforts[measure].add(larger === 0 ? 0 : roundToHundredths((second[measure] - first[measure]) / larger));
    }
  }

  read(): Pair {
    const efforts = this.#efforts;
    return {
      a: this.#a,
      b: this.#b,
      success: this.#success.read(),
      efforts: {
        tokens: efforts.tokens.read(),
        costUsd: efforts.costUsd.read(),
        durationMs: efforts.durationMs.read(),
        calls: efforts.calls.read(),
      },
    };
  }
}

/** A sequence takes long for each different value that it has. */
const roundToHundredths = (share: number): number => Math.round(share * 100) / 100;

/** Differences in -1..1, one after the other. */
class Differences {
  readonly #sequence: AnytimeMean;
  readonly #values: number[] = [];

  constructor(confidence: number) {
    this.#sequence = new AnytimeMean(confidence);
  }

  add(value: number): void {
    this.#sequence.add(value);
    this.#values.push(value);
  }

  read(): Sequence {
    const { interval } = this.#sequence;
    const values = this.#values;
    return {
      mean: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
      ...interval,
      detectable: detectableBySequenceOrNull(interval, values),
    };
  }
}
