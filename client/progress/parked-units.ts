import type { RunEvent } from '#core/reports/events.ts';

type Ended = Extract<RunEvent['event'], { type: 'unit.ended' }>;

/**
 * Returns the parked units after one more unit has ended. A parked unit ends again once its decision has been carried
 * out, so counts by final state must first remove it from those in review.
 */
export function parkedUnitsAfterUnitEnded(parked: ReadonlySet<string>, { unit, status }: Ended): ReadonlySet<string> {
  const others = [...parked].filter((each) => each !== unit);
  return new Set(status === 'review' ? [...others, unit] : others);
}

/** Returns counts with a parked unit removed from review. */
export const countsWithoutOneInReview = <Counts extends { readonly review: number }>(counts: Counts): Counts => ({
  ...counts,
  review: counts.review - 1,
});
