import { cosineOrNull } from '../cosine.ts';

type Vector = ArrayLike<number>;

/** A tool whose server and description have vectors of the same embedder. */
export interface EmbeddedTool {
  readonly name: string;
  readonly server: Vector;
  readonly tool: Vector;
}

/** The vectors of a query: what is compared with servers, and what with tools. */
export interface EmbeddedQuery {
  readonly server: Vector;
  readonly tool: Vector;
}

/** How well a tool fits a query, from the cosines of the query with its server and with the tool itself. */
export type FitOfTool = (serverCosine: number, toolCosine: number) => number;

/**
 * The fit by which LiveMCPBench (2025, equation 2) ranks tools: `(s * t) * max(s, t)`, -1..1. It is negative if either
 * cosine is.
 */
export const fitByProductOfCosines: FitOfTool = (serverCosine, toolCosine) =>
  serverCosine * toolCosine * Math.max(serverCosine, toolCosine);

/** The fit by the tool's own description alone. */
export const fitByToolCosine: FitOfTool = (_, toolCosine) => toolCosine;

/** A tool and its fit. */
export interface RankedTool {
  readonly name: string;
  readonly fit: number;
}

/**
 * Returns the tools that fit a query best, at most `k`, best first; equal ones in the given order. A tool with a vector
 * that cannot be compared with the query's (another length, zero) is left out.
 */
export function listBestFittingTools(
  query: EmbeddedQuery,
  tools: readonly EmbeddedTool[],
  k: number,
  fitOf: FitOfTool,
): RankedTool[] {
  const servers = new Map<Vector, number | null>();
  const ranked = tools.flatMap(({ name, server, tool }): RankedTool[] => {
    const serverCosine = servers.has(server) ? (servers.get(server) ?? null) : cosineOrNull(query.server, server);
    servers.set(server, serverCosine);
    const toolCosine = cosineOrNull(query.tool, tool);
    return serverCosine === null || toolCosine === null ? [] : [{ name, fit: fitOf(serverCosine, toolCosine) }];
  });
  return ranked.toSorted((one, other) => other.fit - one.fit).slice(0, k);
}

/** Returns which share of the wanted names is among those found, 0..1; null if none is wanted. */
export function computeRecallOrNull(wanted: ReadonlySet<string>, found: ReadonlySet<string>): number | null {
  if (wanted.size === 0) return null;
  return [...wanted].filter((name) => found.has(name)).length / wanted.size;
}
