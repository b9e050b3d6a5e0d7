/**
 * Kendall's rank correlation tau-b, -1..1, of paired values, ties allowed for. Null for fewer than two pairs, lists of
 * different lengths, or where one list is all ties: then there is no order to compare. Compares all pairs of pairs, which is
 * meant for rankings of agents, some hundreds at most. Source: Kendall 1945.
 */
export const kendallTauB = (x: readonly number[], y: readonly number[]): number | null => {
  if (x.length !== y.length) return null;
  let balance = 0;
  let untiedX = 0;
  let untiedY = 0;
  for (const [i, xi] of x.entries()) {
    for (let j = 0; j < i; j += 1) {
      const signX = Math.sign(xi - (x[j] ?? 0));
      const signY = Math.sign((y[i] ?? 0) - (y[j] ?? 0));
      balance += signX * signY;
      untiedX += Math.abs(signX);
      untiedY += Math.abs(signY);
    }
  }
  if (untiedX === 0 || untiedY === 0) return null;
  return balance / Math.sqrt(untiedX * untiedY);
};
