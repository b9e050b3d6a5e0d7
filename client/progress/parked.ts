import type { RunEvent } from '#core/events.ts';

type Ended = Extract<RunEvent['event'], { type: 'unit.ended' }>;

/**
 * The units that are parked for a review, after one more has ended. A parked unit ends anew once a decision on it has been
 * carried out: whoever counts units by what became of them has to take it back from those in review first.
 */
export function parkedAfter(parked: ReadonlySet<string>, { unit, status }: Ended): ReadonlySet<string> {
  const others = [...parked].filter((each) => each !== unit);
  return new Set(status === 'review' ? [...others, unit] : others);
}

/** Counts in which a parked unit is in review no longer. */
export const takenBack = <Counts extends { readonly review: number }>(counts: Counts): Counts => ({
  ...counts,
  review: counts.review - 1,
});
