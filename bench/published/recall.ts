import {
  fitByProductOfCosines,
  listBestFittingTools,
  computeRecallOrNull,
  fitByToolCosine,
  type EmbeddedTool,
  type FitOfTool,
} from '#core/similarity/retrieval/rank-tools.ts';
import { meanShareInterval } from '#core/statistics/share-interval.ts';

/** How many tools each query gets. */
const depths = [1, 5, 10] as const;
const fits: Readonly<Record<string, FitOfTool>> = { product: fitByProductOfCosines, tool: fitByToolCosine };

/** The vectors of a task's queries, and the tools that it needs. */
export interface EmbeddedTask {
  readonly wanted: ReadonlySet<string>;
  readonly queries: Readonly<Record<QueryKind, readonly (readonly number[])[]>>;
}

/** `request`: the whole request in one query; `steps`: one query for each step that people wrote down. */
export type QueryKind = 'request' | 'steps';

/** The mean over tasks of the share of a task's tools that its queries found, 0..1, with its 95% interval. */
export interface Recall {
  readonly query: QueryKind;
  readonly fit: string;
  readonly depth: number;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Tasks with such queries and at least one known tool. */
  readonly n: number;
}

/** Returns the recall of each kind of query and each fit, at each depth. */
export const computeRecalls = (tools: readonly EmbeddedTool[], tasks: readonly EmbeddedTask[]): Recall[] =>
  (['request', 'steps'] as const).flatMap((query) =>
    Object.entries(fits).flatMap(([fit, fitOf]) => {
      const deepest = tasks
        .filter(({ wanted, queries }) => wanted.size > 0 && queries[query].length > 0)
        .map(({ wanted, queries }) => ({
          wanted,
          ranked: queries[query].map((vector) =>
            listBestFittingTools({ server: vector, tool: vector }, tools, Math.max(...depths), fitOf),
          ),
        }));
      return depths.map((depth): Recall => {
        const shares = deepest.flatMap(({ wanted, ranked }) => {
          const found = ranked.flatMap((best) => best.slice(0, depth).map(({ name }) => name));
          return computeRecallOrNull(wanted, new Set(found)) ?? [];
        });
        const interval = meanShareInterval(shares);
        const n = shares.length;
        const mean = n === 0 ? null : shares.reduce((sum, share) => sum + share, 0) / n;
        return { query, fit, depth, mean, low: interval?.low ?? null, high: interval?.high ?? null, n };
      });
    }),
  );
