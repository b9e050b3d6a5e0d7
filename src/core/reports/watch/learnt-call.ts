import { z } from 'zod';
import { joinShapes, listShapeDifferences, resultShape } from '../lock/result-shape.ts';
import type { SeenCall } from './seen-call.ts';

/** Visits after which what a call came to counts as usual. */
export const visitsToLearn = 7;
/** Visits after which a value that was always there counts as stable: three weeks of days, so that what changes each week is none. */
export const visitsToTrustValues = 21;

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
  /** Values that were there each time; null before the first success. */
  values: z.array(z.string()).nullable(),
  ms: z.array(z.number()),
  chars: z.array(z.int()),
  /** The last usual answer, and the first that has been unusual since. */
  usual: answerOnce.nullable(),
  unusual: answerOnce.nullable(),
});
export type LearntCall = Readonly<z.infer<typeof learntCall>>;

export const unlearntCall = (call: Pick<LearntCall, 'tool' | 'arguments'>): LearntCall => ({
  ...call,
  visits: 0,
  successes: 0,
  shape: null,
  holds: true,
  values: null,
  ms: [],
  chars: [],
  usual: null,
  unusual: null,
});

/** How a call differs from what is usual. A trait that nothing can be said about is absent. */
export interface Deviation {
  /** It fails, and succeeded. */
  readonly fails?: boolean;
  /** It succeeds, and was refused. */
  readonly answers?: boolean;
  readonly empty?: boolean;
  readonly form?: boolean;
  /** Stable values that are gone, of all. */
  readonly values?: { readonly lost: number; readonly of: number };
  readonly slow?: boolean;
  readonly size?: boolean;
}

/** Times are compared from this on. */
const leastSlowMs = 50;
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
  const [ms, chars] = [medianOf(call.ms), medianOf(call.chars)];
  const there = new Set(succeeded.flatMap((each) => each.values));
  return {
    fails: false,
    ...(call.holds ? { empty: succeeded.every(({ items }) => items === 0) } : {}),
    ...(shape === null ? {} : { form: succeeded.every((each) => listShapeDifferences(shape, each.shape).length > 0) }),
    ...(values === null || call.visits < visitsToTrustValues
      ? {}
      : { values: { lost: values.filter((value) => !there.has(value)).length, of: values.length } }),
    slow: succeeded.every((each) => each.ms > 2 * ms + leastSlowMs),
    size: succeeded.every(
      (each) =>
        Math.abs(each.chars - chars) > leastSizeChars && (each.chars > 3 * chars || each.chars * 3 < chars),
    ),
  };
}

/** Whether a call at a visit should be tried again: it is being learnt, or it seems to differ. */
export function wantsSecondTry(call: LearntCall, first: SeenCall): boolean {
  const deviation = findDeviation(call, [first]);
  return deviation === null || isUnusual(deviation);
}

export const isUnusual = ({ values, ...traits }: Deviation): boolean =>
  Object.values(traits).includes(true) || (values !== undefined && values.lost * 2 >= values.of && values.of > 0);

/** Returns a call with what a visit teaches about it. */
export function learnFromTries(call: LearntCall, tries: readonly SeenCall[], at: string): LearntCall {
  const [first] = tries;
  if (first === undefined) return call;
  const deviation = findDeviation(call, tries);
  const answer = { at, text: first.text };
  const unusual = deviation !== null && isUnusual(deviation);
  const known = unusual
    ? { ...call, unusual: call.unusual ?? answer }
    : { ...call, usual: answer, unusual: null };
  return unusual || call.visits >= visitsToTrustValues ? known : learn(known, tries);
}

function learn(call: LearntCall, tries: readonly SeenCall[]): LearntCall {
  const learnt = { ...call, visits: call.visits + 1 };
  const succeeded = tries.filter(({ outcome }) => outcome === 'success');
  if (succeeded.length === 0) return learnt;
  const isFirstPart = call.visits < visitsToLearn;
  return {
    ...learnt,
    successes: call.successes + 1,
    values: succeeded.reduce<string[] | null>(
      (stable, { values }) => (stable === null ? values : stable.filter((value) => values.includes(value))),
      call.values,
    ),
    ...(isFirstPart
      ? {
          shape: succeeded.map(({ shape }) => shape).reduce(joinShapes, call.shape ?? succeeded[0]?.shape ?? {}),
          holds: call.holds && succeeded.every(({ items }) => items > 0),
          ms: [...call.ms, Math.min(...succeeded.map(({ ms }) => ms))],
          chars: [...call.chars, ...succeeded.slice(0, 1).map(({ chars }) => chars)],
        }
      : {}),
  };
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0;
