/** An entry's cost and its headline score as sort keys: lower is better for both; Infinity if unknown. */
export interface Offer {
  readonly id: string;
  readonly cost: number;
  readonly score: number;
}

/**
 * Returns the Pareto front of cost and score: the entries that no other matches in both and beats in one. By
 * cost, equal entries by id. Entries without a cost or a score are not on it. O(n log n).
 */
export function listIdsOnParetoFront(offers: readonly Offer[]): string[] {
  const known = offers
    .filter(({ cost, score }) => cost !== Infinity && score !== Infinity)
    .toSorted((a, b) => a.cost - b.cost || a.score - b.score || (a.id < b.id ? -1 : 1));
  const front: string[] = [];
  let last: Offer | undefined;
  for (const offer of known) {
    const isDouble = last !== undefined && offer.cost === last.cost && offer.score === last.score;
    if (last !== undefined && offer.score >= last.score && !isDouble) continue;
    front.push(offer.id);
    last = offer;
  }
  return front;
}

/** Returns at most `most` (2 or more) entries of a front: its two ends and an even selection between them. */
export function pickEvenlyFromFront(front: readonly string[], most: number): string[] {
  const step = Math.max(1, (front.length - 1) / (most - 1));
  const kept = new Set(Array.from({ length: most }, (_, n) => Math.round(n * step)));
  return front.filter((_, place) => kept.has(place));
}
