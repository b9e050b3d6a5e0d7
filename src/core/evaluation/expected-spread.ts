/** What earlier agents came to at a unit: how many of their attempts at it have the headline, and its sum, 0..1 each. */
export interface EarlierOutcomes {
  readonly scored: number;
  readonly sum: number;
}

/**
 * Returns how much two agents are expected to differ at a unit, 0..0.5: as much as two that reach the share p that earlier ones have
 * reached, of which one succeeds alone with the chance 2 p (1 - p). Half a success and half a failure are added, because few agents that agree do
 * not show that all would; without any the share is one half.
 */
export function expectedSpread({ scored, sum }: EarlierOutcomes): number {
  const share = (sum + 0.5) / (scored + 1);
  return 2 * share * (1 - share);
}
