import { buildByTier, type SubmissionTier } from './submissions/state.ts';
import { spentMetric, type RankingMetric } from './metrics.ts';
import { sortByMetric, findPositionOrInsertionPoint, type Order } from './order.ts';
import type { Place, RankingChange } from './ranking.ts';

type Held = Omit<Place, 'behind' | 'leads'> & {
  behind: boolean;
  readonly leads: Partial<Record<RankingMetric, boolean>>;
};

/**
 * The rows of all entries of a ranking, with the orders that have been requested. Changed in place, because a change
 * affects few of very many entries.
 */
export class Places {
  readonly #places: Map<string, Held>;
  readonly #orders: Readonly<Record<SubmissionTier, Map<RankingMetric, Held[]>>> = buildByTier(() => new Map());

  constructor(places: Iterable<Place> = []) {
    this.#places = new Map(Array.from(places, (place) => [place.id, copyPlace(place)]));
  }

  /** The number of entries of all tiers. */
  get total(): number {
    return this.#places.size;
  }

  /** Null for an unknown entry. */
  getPlaceOrNull(id: string): Place | null {
    return this.#places.get(id) ?? null;
  }

  getPlaceOrThrow(id: string): Place {
    return this.#getPlaceOrThrow(id);
  }

  /** Valid until the next change. */
  getLiveOrderOfTier(tier: SubmissionTier, metric: RankingMetric): Order {
    const known = this.#orders[tier].get(metric) ?? sortByMetric(this.#listPlacesOfTier(tier), metric);
    this.#orders[tier].set(metric, known);
    return known;
  }

  /** A snapshot of all rows. */
  copyAll(): Place[] {
    return Array.from(this.#places.values(), copyPlace);
  }

  applyChange({
    tier,
    put,
    remove,
    behind,
    leads,
  }: Pick<RankingChange, 'tier' | 'put' | 'remove' | 'behind' | 'leads'>): void {
    if (remove !== null) this.#remove(this.#getPlaceOrThrow(remove));
    // Sorted again when they are next read: many entries may have moved.
    if (behind.length > 0) for (const metric of spentMetric.options) this.#orders[tier].delete(metric);
    for (const { id, behind: isBehind } of behind) this.#getPlaceOrThrow(id).behind = isBehind;
    if (put !== null) this.#add({ id: put.id, tier, keys: put.keys, behind: put.behind, leads: {} });
    for (const { metric, id, leads: isLeader } of leads) this.#getPlaceOrThrow(id).leads[metric] = isLeader;
  }

  #add(place: Held): void {
    if (this.#places.has(place.id)) throw new Error(`${place.id} has a place in the ranking`);
    for (const [metric, order] of this.#orders[place.tier])
      order.splice(findPositionOrInsertionPoint(order, metric, place), 0, place);
    this.#places.set(place.id, place);
  }

  #remove(place: Held): void {
    for (const [metric, order] of this.#orders[place.tier])
      order.splice(findPositionOrInsertionPoint(order, metric, place), 1);
    this.#places.delete(place.id);
  }

  #listPlacesOfTier(tier: SubmissionTier): Held[] {
    return [...this.#places.values()].filter((place) => place.tier === tier);
  }

  #getPlaceOrThrow(id: string): Held {
    const place = this.#places.get(id);
    if (place === undefined) throw new Error(`${id} has no place in the ranking`);
    return place;
  }
}

const copyPlace = ({ id, tier, keys, behind, leads }: Place): Held => ({ id, tier, keys, behind, leads: { ...leads } });
