import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { addCallCounts, noCalls, type CallCounts } from '#core/catalog/call-counts.ts';

/** The errors of a server's tools that it could have marked as errors. */
export interface ServerErrors {
  readonly server: string;
  /** Those that it marked. */
  readonly marked: number;
  /** Those that it marked as successes although their text reports an error. */
  readonly reported: number;
}

/**
 * Sums the errors of calls by server, in order of names; calls that the environment spoilt are no errors of a tool. Servers without any are
 * left out.
 */
export function sumToolErrorsByServer(calls: Iterable<CallCounts & { readonly tool: string }>): ServerErrors[] {
  const sums = new Map<string, CallCounts>();
  for (const { tool, ...counts } of calls) {
    const server = serverNameOfToolName(tool);
    sums.set(server, addCallCounts(sums.get(server) ?? noCalls, counts));
  }
  return [...sums]
    .map(([server, { failed, spoilt, reported }]) => ({ server, marked: failed - spoilt - reported, reported }))
    .filter(({ marked, reported }) => marked + reported > 0)
    .toSorted((a, b) => (a.server < b.server ? -1 : 1));
}
