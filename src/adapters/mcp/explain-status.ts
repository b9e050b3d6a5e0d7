import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import type { McpProblem } from './problems.ts';

/** Statuses by which a server says that it takes no POST there. */
const noPost: ReadonlySet<number | undefined> = new Set([404, 405]);
const patienceMs = 3_000;

const wrongPath = 'nothing takes MCP at this path; often it is /mcp';
const olderTransport =
  'the server speaks the transport of 2024-11-05 (HTTP+SSE) alone, which Sextant does not; ask for its Streamable HTTP address, often /mcp, or put a bridge in front of it';

interface Asked {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
}

/**
 * Returns a problem with what its status means and what to do, where one more request can tell: a server of the transport before
 * Streamable HTTP takes no POST, but answers a GET with a stream of events. The caller holds a place.
 */
export async function explainStatus(problem: McpProblem, asked: Asked): Promise<McpProblem> {
  if (problem.kind !== 'fault' || !noPost.has(problem.status)) return problem;
  const meaning = (await answersWithEvents(asked)) ? olderTransport : wrongPath;
  return { ...problem, detail: `${problem.detail}: ${meaning}` };
}

async function answersWithEvents({ url, headers, fetch }: Asked): Promise<boolean> {
  try {
    const response = await fetch(url, {
      headers: { ...headers, accept: 'text/event-stream' },
      signal: AbortSignal.timeout(patienceMs),
      hasPlace: true,
    });
    await response.body?.cancel();
    return response.ok && response.headers.get('content-type')?.includes('text/event-stream') === true;
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    // Then the status of the POST is all that is known.
    return false;
  }
}
