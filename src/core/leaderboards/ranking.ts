import type { SubmissionTier } from './submissions/state.ts';
import type { RankingMetric } from './metrics.ts';

/**
 * An entry's sort keys by every metric of its leaderboard, as `ascendingSortKeyOfScore` returns them: ascending is better first. Equal keys are ordered by
 * id. They do not depend on other entries.
 */
export type RankingKeys = Readonly<Partial<Record<RankingMetric, number>>>;

/** An entry in the orders of its tier by all metrics. */
export interface Place {
  readonly id: string;
  readonly tier: SubmissionTier;
  readonly keys: RankingKeys;
  /** Whether its headline is so far below the best of its tier that it is not ordered by what its attempts used. */
  readonly behind: boolean;
  /** The metrics by which it leads a group of ties of its tier. */
  readonly leads: Readonly<Partial<Record<RankingMetric, boolean>>>;
}

/** The change of a ranking by one publication, withdrawal or decision, all of it in one tier. Applying it again changes nothing. */
export interface RankingChange {
  /** Counts the changes of a leaderboard from 1, without gaps. */
  readonly seq: number;
  readonly tier: SubmissionTier;
  /** An added entry; an existing one must be removed first. */
  readonly put: (Pick<Place, 'id' | 'keys' | 'behind'> & { readonly json: string }) | null;
  /** A removed entry. */
  readonly remove: string | null;
  /** Other entries that fall behind the best of the tier, or are no longer behind. */
  readonly behind: readonly Pick<Place, 'id' | 'keys' | 'behind'>[];
  /** Which entries start or stop leading a group, including the new one. */
  readonly leads: readonly { readonly metric: RankingMetric; readonly id: string; readonly leads: boolean }[];
  /** The entries of the tier on its Pareto front of cost and the headline, by cost. */
  readonly front: readonly string[];
}

/** The entries on the Pareto front of each tier, by cost. */
export type Fronts = Readonly<Record<SubmissionTier, readonly string[]>>;

/** A whole ranking, from which a store is rebuilt. */
export interface WholeRanking {
  readonly seq: number;
  /** The rows of all entries, in any order. */
  readonly places: readonly Place[];
  readonly fronts: Fronts;
  /** The entries' JSON by id, page by page. */
  entries(after: string, limit: number): Promise<readonly { readonly id: string; readonly json: string }[]>;
}

/** One row of a page. */
export interface RankedRow {
  readonly position: number;
  readonly rank: number;
  /** Whether it has a place by the metric: those without one are listed last, all with the same rank. */
  readonly ranked: boolean;
  readonly onFront: boolean;
  /** The entry's JSON. */
  readonly json: string;
}

export interface RankingPage {
  readonly seq: number;
  /** The entries of the tier. */
  readonly total: number;
  readonly rows: readonly RankedRow[];
}

/** The position of an entry in its tier, with the leaders of its group and of the group above. */
export interface RankedPlace {
  readonly seq: number;
  readonly total: number;
  readonly position: number;
  readonly rank: number;
  readonly ranked: boolean;
  readonly onFront: boolean;
  readonly leader: string;
  readonly above: string | null;
  readonly json: string;
}

/** A ranking could not be reached, or is malformed. */
export interface RankingFault {
  readonly code: 'unreachable' | 'malformed';
  /** One line for a person, without secrets. */
  readonly detail: string;
}

export type Ranked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: RankingFault };

/**
 * The rankings of one leaderboard for readers, one of each tier: derived from its entries, and rebuilt from them if it was lost. Reading
 * costs the same for any number of entries.
 */
export interface RankingReader {
  /** Rows of a tier from `from` on (0 is the first); those without a score come last. */
  page(tier: SubmissionTier, metric: RankingMetric, from: number, limit: number): Promise<Ranked<RankingPage>>;
  /** Null for an unknown entry. */
  place(metric: RankingMetric, id: string): Promise<Ranked<RankedPlace | null>>;
  /** The number of the last change, with which a reader's copy is compared. */
  seq(): Promise<Ranked<number>>;
}

export interface RankingStore extends RankingReader {
  /** `gap` if earlier changes are missing: then it must be rebuilt. */
  apply(change: RankingChange): Promise<Ranked<'applied' | 'gap'>>;
  rebuild(whole: WholeRanking): Promise<Ranked<null>>;
}
