import {
  computeRecallOrNull,
  fitByProductOfCosines,
  listBestFittingTools,
  type EmbeddedQuery,
  type EmbeddedTool,
} from '#core/similarity/retrieval/rank-tools.ts';
import { meanShareInterval } from '#core/statistics/share-interval.ts';

/** After how many searches what was found is compared with what is needed. */
const searches = [1, 2, 3] as const;

/** Tools of a search: the default of agents that search. */
export const toolsOfSearch = 5;

/** The searches for a task in their order, as one kind of agent makes them, and the tools that the task needs. */
export interface SearchedTask {
  readonly wanted: ReadonlySet<string>;
  readonly queries: readonly EmbeddedQuery[];
}

/** The mean over tasks of the share of a task's tools that its first searches found together, 0..1, with its 95% interval. */
export interface SearchRecall {
  /** How many searches count; those of a task that has fewer all do. */
  readonly searches: number;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Tasks with a search and at least one known tool. */
  readonly n: number;
}

/** Returns the recall after one, two and three searches, each of which finds the `toolsOfSearch` tools that fit best. */
export function computeRecallsAfterSearches(
  tools: readonly EmbeddedTool[],
  tasks: readonly SearchedTask[],
): SearchRecall[] {
  const found = tasks.map(({ wanted, queries }) => ({
    wanted,
    found: queries
      .slice(0, Math.max(...searches))
      .map((query) => listBestFittingTools(query, tools, toolsOfSearch, fitByProductOfCosines).map(({ name }) => name)),
  }));
  return summarizeRecallsAfterSearches(found);
}

/** Returns the recall after one, two and three searches whose results are known. */
export function summarizeRecallsAfterSearches(
  tasks: readonly { readonly wanted: ReadonlySet<string>; readonly found: readonly (readonly string[])[] }[],
): SearchRecall[] {
  const searched = tasks.filter(({ found }) => found.length > 0);
  return searches.map((count): SearchRecall => {
    const shares = searched.flatMap(
      ({ wanted, found }) => computeRecallOrNull(wanted, new Set(found.slice(0, count).flat())) ?? [],
    );
    const interval = meanShareInterval(shares);
    const n = shares.length;
    const mean = n === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / n;
    return { searches: count, mean, low: interval?.low ?? null, high: interval?.high ?? null, n };
  });
}
