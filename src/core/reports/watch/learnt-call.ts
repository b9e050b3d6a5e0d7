import { z } from 'zod';
import { lowerMedianOrNull } from '#core/statistics/quantile.ts';
import { joinShapes, listShapeDifferences, resultShape } from '../lock/result-shape.ts';
import { isNumber, type SeenCall } from './seen-call.ts';

/** Visits after which what a call came to counts as usual. */
export const visitsToLearn = 7;
/** Visits in a row after which a value counts as stable: three weeks of days, so that what changes each week is none. */
const visitsToTrustValue = 21;
/** Values that are remembered. */
const mostValues = 150;

const answerOnce = z.object({ at: z.string(), text: z.string() });

/** What is usual for a call that a watch repeats. */
export const learntCall = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** Visits from which it was learnt. */
  visits: z.int().min(0),
  /** Successes among them. */
  successes: z.int().min(0),
  shape: resultShape.nullable(),
  /** Whether each success held something. */
  holds: z.boolean(),
  /** In how many visits in a row each value was there, up to those that it takes to trust it. */
  values: z.record(z.string(), z.int().min(1)),
  ms: z.array(z.number()),
  chars: z.array(z.int()),
  /** The last usual answer, and the first since that has been unusual in the same way. */
  usual: answerOnce.nullable(),
  unusual: answerOnce.extend({ traits: z.array(z.string()) }).nullable(),
});
export type LearntCall = Readonly<z.infer<typeof learntCall>>;

export const unlearntCall = (call: Pick<LearntCall, 'tool' | 'arguments'>): LearntCall => ({
  ...call,
  visits: 0,
  successes: 0,
  shape: null,
  holds: true,
  values: {},
  ms: [],
  chars: [],
  usual: null,
  unusual: null,
});

interface Share {
  readonly lost: number;
  readonly of: number;
}

/** How a call differs from what is usual. A trait that nothing can be said about is absent. */
export interface Deviation {
  /** It fails, and succeeded. */
  readonly fails?: boolean;
  /** It succeeds, and was refused. */
  readonly answers?: boolean;
  readonly empty?: boolean;
  readonly form?: boolean;
  /** Stable values that are gone, of all. */
  readonly values?: { readonly words: Share; readonly numbers: Share };
  readonly slow?: boolean;
  readonly size?: boolean;
}

/** Times are compared from this on. */
const leastSlowMs = 20;
const leastSizeChars = 200;

/**
 * Returns how all tries of a call at a visit differ from what is usual: what only one of them does is chance. Null while it is being
 * learnt.
 */
export function findDeviation(call: LearntCall, tries: readonly SeenCall[]): Deviation | null {
  if (call.visits < visitsToLearn || tries.length === 0) return null;
  const succeeded = tries.filter(({ outcome }) => outcome === 'success');
  if (call.successes * 2 <= call.visits) return { answers: succeeded.length === tries.length };
  if (succeeded.length === 0) return { fails: true };
  const { shape, values } = call;
  const [ms, chars] = [lowerMedianOrNull(call.ms) ?? 0, lowerMedianOrNull(call.chars) ?? 0];
  const there = new Set(succeeded.flatMap((each) => each.values));
  const stable = Object.keys(values).filter((value) => (values[value] ?? 0) >= visitsToTrustValue);
  return {
    fails: false,
    ...(call.holds ? { empty: succeeded.every(({ items }) => items === 0) } : {}),
    ...(shape === null ? {} : { form: succeeded.every((each) => listShapeDifferences(shape, each.shape).length > 0) }),
    values: {
      words: shareOf(
        stable.filter((value) => !isNumber(value)),
        there,
      ),
      numbers: shareOf(stable.filter(isNumber), there),
    },
    slow: succeeded.every((each) => each.ms > 2 * ms + leastSlowMs),
    size: succeeded.every(
      (each) => Math.abs(each.chars - chars) > leastSizeChars && (each.chars > 3 * chars || each.chars * 3 < chars),
    ),
  };
}

const shareOf = (stable: readonly string[], there: ReadonlySet<string>): Share => ({
  lost: stable.filter((value) => !there.has(value)).length,
  of: stable.length,
});

/** Fewer stable values of a sort say too little. */
const leastValues = 2;

/**
 * Whether values of results say the same of other things, or something else of the same: half of the stable numbers are gone and most words
 * stayed, or the other way round. Where both are gone, the data are others, which is no fault. Null if there are too few.
 */
export function areValuesUnusual(all: readonly NonNullable<Deviation['values']>[]): boolean | null {
  const sumOf = (shares: readonly Share[]): Share => ({
    lost: shares.reduce((sum, { lost }) => sum + lost, 0),
    of: shares.reduce((sum, { of }) => sum + of, 0),
  });
  const [words, numbers] = [sumOf(all.map((each) => each.words)), sumOf(all.map((each) => each.numbers))];
  if (words.of < leastValues || numbers.of < leastValues) return null;
  return 2 * words.lost >= words.of !== 2 * numbers.lost >= numbers.of;
}

/** Whether a call at a visit should be tried again: it is being learnt, or it seems to differ. */
export function wantsSecondTry(call: LearntCall, first: SeenCall): boolean {
  const deviation = findDeviation(call, [first]);
  return deviation === null || listUnusualTraits(deviation).length > 0;
}

function listUnusualTraits({ values, ...traits }: Deviation): string[] {
  const unusual = Object.entries(traits).flatMap(([trait, is]) => (is ? [trait] : []));
  return values !== undefined && areValuesUnusual([values]) === true ? [...unusual, 'values'] : unusual;
}

/** Returns a call with what a visit teaches about it. */
export function learnFromTries(call: LearntCall, tries: readonly SeenCall[], at: string): LearntCall {
  const [first] = tries;
  if (first === undefined) return call;
  const deviation = findDeviation(call, tries);
  const answer = { at, text: first.text };
  const traits = deviation === null ? [] : listUnusualTraits(deviation);
  if (traits.length > 0)
    return traits.join() === call.unusual?.traits.join() ? call : { ...call, unusual: { ...answer, traits } };
  const succeeded = tries.filter(({ outcome }) => outcome === 'success');
  const known = { ...call, usual: answer, unusual: null, values: countValues(call.values, succeeded) };
  return call.visits >= visitsToLearn ? known : learn(known, succeeded);
}

/** Counts on what all tries have, forgets what none has, and begins with what is new. */
function countValues(known: LearntCall['values'], succeeded: readonly SeenCall[]): LearntCall['values'] {
  const [first, ...others] = succeeded;
  if (first === undefined) return known;
  const anywhere = new Set(succeeded.flatMap(({ values }) => values));
  const everywhere = first.values.filter((value) => others.every(({ values }) => values.includes(value)));
  const kept = Object.entries(known).filter(([value]) => anywhere.has(value));
  const isKept = new Set(kept.map(([value]) => value));
  const fresh = everywhere.filter((value) => !isKept.has(value)).slice(0, mostValues - kept.length);
  return Object.fromEntries([
    ...kept.map(([value, visits]): [string, number] => [value, Math.min(visits + 1, visitsToTrustValue)]),
    ...fresh.map((value): [string, number] => [value, 1]),
  ]);
}

function learn(call: LearntCall, succeeded: readonly SeenCall[]): LearntCall {
  const learnt = { ...call, visits: call.visits + 1 };
  const [first] = succeeded;
  if (first === undefined) return learnt;
  return {
    ...learnt,
    successes: call.successes + 1,
    shape: succeeded.map(({ shape }) => shape).reduce(joinShapes, call.shape ?? first.shape),
    holds: call.holds && succeeded.every(({ items }) => items > 0),
    ms: [...call.ms, Math.min(...succeeded.map(({ ms }) => ms))],
    chars: [...call.chars, first.chars],
  };
}
