/** The result of comparing agent A with agent B, from A's side. `no-difference` means that none was shown. */
export const verdicts = ['better', 'worse', 'no-difference', 'insufficient-data'] as const;
export type Verdict = (typeof verdicts)[number];

/**
 * With five pairs that all agree, an exact two-sided test gives 2 / 2^5 = 0.0625: below six, no outcome could show a
 * difference at 5%.
 */
export const leastPairs = 6;
