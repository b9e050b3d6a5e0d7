/** What an entry costs and reaches: less is better of both, as sort keys are; Infinity where it is not known. */
export interface Offer {
  readonly id: string;
  readonly cost: number;
  readonly execution: number;
}

/**
 * The Pareto front of cost and `execution`: the entries that no other is as good as in both and better than in one. By cost, doubles
 * by id. Entries without a cost or a score are not on it. In O(n log n).
 */
export function paretoFront(offers: readonly Offer[]): string[] {
  const known = offers
    .filter(({ cost, execution }) => cost !== Infinity && execution !== Infinity)
    .toSorted((a, b) => a.cost - b.cost || a.execution - b.execution || (a.id < b.id ? -1 : 1));
  const front: string[] = [];
  let last: Offer | undefined;
  for (const offer of known) {
    const isDouble = last !== undefined && offer.cost === last.cost && offer.execution === last.execution;
    if (last !== undefined && offer.execution >= last.execution && !isDouble) continue;
    front.push(offer.id);
    last = offer;
  }
  return front;
}

/** At most `most` (2 or more) entries of a front: its ends, the cheapest and the best, and others evenly between them. */
export function thinned(front: readonly string[], most: number): string[] {
  const step = Math.max(1, (front.length - 1) / (most - 1));
  const kept = new Set(Array.from({ length: most }, (_, n) => Math.round(n * step)));
  return front.filter((_, place) => kept.has(place));
}
