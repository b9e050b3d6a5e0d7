/**
 * Calls of evaluated attempts, how many of them failed, and how many of those the environment spoilt, or their server
 * marked as successes.
 */
export interface CallCounts {
  readonly calls: number;
  readonly failed: number;
  readonly spoilt: number;
  readonly reported: number;
}

export const noCalls: CallCounts = { calls: 0, failed: 0, spoilt: 0, reported: 0 };

/** Returns the sums of two counts. */
export const addCallCounts = (a: CallCounts, b: CallCounts): CallCounts => ({
  calls: a.calls + b.calls,
  failed: a.failed + b.failed,
  spoilt: a.spoilt + b.spoilt,
  reported: a.reported + b.reported,
});

/** How servers mark the errors of their tools. */
export const errorMarks = ['always', 'sometimes', 'never'] as const;
type ErrorMarks = (typeof errorMarks)[number];

/** Returns how servers mark their errors as errors; null if they returned none that they could have marked. */
export const classifyErrorMarkingOfCalls = ({ failed, spoilt, reported }: CallCounts): ErrorMarks | null =>
  classifyErrorMarking({ marked: failed - spoilt - reported, reported });

/** Returns the same from the numbers of marked errors and of those that were marked as successes. */
export const classifyErrorMarking = ({
  marked,
  reported,
}: Record<'marked' | 'reported', number>): ErrorMarks | null => {
  if (marked + reported === 0) return null;
  if (reported === 0) return 'always';
  return marked === 0 ? 'never' : 'sometimes';
};
