import type { Finding } from './submissions/findings.ts';
import type { PriceSource } from '#core/models/list-prices.ts';
import type { AgentConfiguration } from '#core/evaluation/config.ts';
import type { ServerIsolation } from '#core/catalog/isolation/server-isolation.ts';
import type { MountedSummary } from '#core/units/mounting/mounted-counts.ts';
import type { EntryFigures, ScoredFigures } from './entry-figures.ts';
import type { SplitDifference } from './split-difference.ts';
import type { Entry, RecordContent } from './record.ts';
import type { UnitRankingMetric } from './metrics.ts';

/** The result of a submission's traces: everything that an entry consists of. */
export interface ScoredSubmission {
  readonly configuration: AgentConfiguration;
  /** Where the prices of its model were published; undefined if its submitter named them, or nobody. */
  readonly priceSource?: PriceSource | undefined;
  readonly prompts: readonly string[];
  readonly figures: EntryFigures;
  /** Which tools it saw in the public units. */
  readonly mounted: MountedSummary;
  /** How attempts were kept apart on each server. */
  readonly isolation: readonly ServerIsolation[];
  /** Values of the units by which it ranks, in the order of their ids; null where a unit has no value. */
  readonly values: Readonly<Partial<Record<UnitRankingMetric, readonly (number | null)[]>>>;
  readonly traces: RecordContent['traces'];
  /** The smallest digests of what the agent did in its public attempts: two submissions that share many are copies. */
  readonly sketch: readonly string[];
  /** Suspicions. */
  readonly findings: readonly Finding[];
}

/** What the cases of a submission give for its entry. */
export interface SubmissionFigures extends ScoredFigures, Pick<ScoredSubmission, 'mounted' | 'isolation'> {
  /** How it does on the two splits; null without private units, or if none has a counterpart. */
  readonly splits: SplitDifference | null;
}

/** A submission that is given the private units of its leaderboard. */
export interface PrivateHandOut {
  readonly submission: string;
  readonly workspace: string;
  readonly name: string;
  /** How many private units it is given. */
  readonly units: number;
  readonly at: string;
}

/** What is published, or first checked by a moderator. */
export interface Publication {
  readonly submission: string;
  readonly workspace: string;
  readonly name: string;
  readonly tier: Entry['tier'];
  readonly submittedAt: string;
  readonly scored: ScoredSubmission;
  /** A moderator's reason to publish it in spite of suspicious findings; null without one. */
  readonly approved: string | null;
  readonly at: string;
}

/** The result of a publication. */
export type Published =
  | { readonly kind: 'published'; readonly entry: Entry }
  | { readonly kind: 'suspicious'; readonly findings: Finding[] }
  | { readonly kind: 'refused'; readonly reason: string };
