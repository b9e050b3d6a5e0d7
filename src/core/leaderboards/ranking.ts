import type { RankingMetric } from './metrics.ts';

/** What places an entry by every metric, as `sortKey` gives it: ascending is better first. Equal keys stand in the order of ids. */
export type RankingKeys = Readonly<Record<RankingMetric, number>>;

/** An entry in the orders by all metrics. */
export interface Place {
  readonly id: string;
  readonly keys: RankingKeys;
  /** By which metrics it leads a group of entries that cannot be told from it. */
  readonly leads: Readonly<Record<RankingMetric, boolean>>;
}

/** What one publication, withdrawal or decision changes in a ranking. Applying it again changes nothing. */
export interface RankingChange {
  /** Counts the changes of a leaderboard from 1, without gaps. */
  readonly seq: number;
  /** An entry that comes in; one that is in has to go first. */
  readonly put: { readonly id: string; readonly keys: RankingKeys; readonly json: string } | null;
  /** An entry that is in, and goes. */
  readonly remove: string | null;
  /** Which entries lead a group from now on, or no more; the new entry among them. */
  readonly leads: readonly { readonly metric: RankingMetric; readonly id: string; readonly leads: boolean }[];
  /** The entries on the Pareto front of cost and `execution`, by cost. */
  readonly front: readonly string[];
}

/** The whole of a ranking: what a store is rebuilt from. */
export interface WholeRanking {
  readonly seq: number;
  /** Those of all entries, in whatever order. */
  readonly places: readonly Place[];
  readonly front: readonly string[];
  /** The entries' JSON by id, page by page. */
  entries(after: string, limit: number): Promise<readonly { readonly id: string; readonly json: string }[]>;
}

/** One row of a page. */
export interface RankedRow {
  readonly position: number;
  readonly rank: number;
  readonly onFront: boolean;
  /** The entry's JSON. */
  readonly json: string;
}

export interface RankingPage {
  readonly seq: number;
  readonly total: number;
  readonly rows: readonly RankedRow[];
}

/** Where an entry stands, with who leads its group and the group above. */
export interface RankedPlace {
  readonly seq: number;
  readonly total: number;
  readonly position: number;
  readonly rank: number;
  readonly onFront: boolean;
  readonly leader: string;
  readonly above: string | null;
  readonly json: string;
}

/** A ranking could not be reached, or is not what it should be. */
export interface RankingFault {
  readonly code: 'unreachable' | 'malformed';
  /** One line for a person, free of secrets. */
  readonly detail: string;
}

export type Ranked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: RankingFault };

/**
 * The ranking of one leaderboard as it is read: derived from its entries, and rebuilt from them where it was lost. Reading costs the
 * same however many entries there are.
 */
export interface RankingReader {
  /** Rows from `from` on (0 is the first); those without a score at the end. */
  page(metric: RankingMetric, from: number, limit: number): Promise<Ranked<RankingPage>>;
  /** Null where there is no such entry. */
  place(metric: RankingMetric, id: string): Promise<Ranked<RankedPlace | null>>;
  /** The number of the last change: what a reader's copy is compared with. */
  seq(): Promise<Ranked<number>>;
}

export interface RankingStore extends RankingReader {
  /** `gap` where changes before this one are missing: then it has to be rebuilt. */
  apply(change: RankingChange): Promise<Ranked<'applied' | 'gap'>>;
  rebuild(whole: WholeRanking): Promise<Ranked<null>>;
}
