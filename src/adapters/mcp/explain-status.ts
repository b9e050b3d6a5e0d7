import type { FetchLike, GuardedInit } from '#adapters/network/guarded-fetch.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { discoverAuthorization } from './oauth/discover.ts';
import { findOAuthRefusal, printableStatedText } from './oauth/refusal.ts';
import { wantsOAuth, type McpProblem } from './problems.ts';

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
  /** Whether requests had a token. */
  readonly isAuthorized: boolean;
}

/**
 * Returns a problem with what its status means and what to do, where one more request can tell: a server of the transport before
 * Streamable HTTP takes no POST, but answers a GET with a stream of events. For a 401 without a token it
 * names who gives tokens. The caller holds a place.
 */
export async function probeServerToExplainProblem(problem: McpProblem, asked: Asked): Promise<McpProblem> {
  if (problem.kind !== 'fault') return problem;
  if (problem.status === 401 && !asked.isAuthorized) return addTokenIssuerToProblemDetail(problem, asked);
  if (!noPost.has(problem.status)) return problem;
  const meaning = (await answersGetWithEventStream(asked)) ? olderTransport : wrongPath;
  return { ...problem, detail: `${problem.detail}: ${meaning}` };
}

const howToAuthorize =
  'register it with the consent of a person (`servers add --consent`) or with "auth" for machines (client-credentials or private-key-jwt; `--client-id`), or give a token as the header "Authorization: Bearer ..."';

/** Names who gives tokens for a server that wants OAuth, where its challenge or its well-known address says so. */
async function addTokenIssuerToProblemDetail(
  problem: Extract<McpProblem, { readonly kind: 'fault' }>,
  { url, fetch }: Asked,
): Promise<McpProblem> {
  const bounded = (place: string | URL, init: GuardedInit = {}): Promise<Response> =>
    fetch(place, { ...init, signal: AbortSignal.timeout(patienceMs), hasPlace: true });
  try {
    const { server, scope, isNamed } = await discoverAuthorization({ url: url.href, fetch: bounded });
    if (problem.challenge === undefined && !isNamed) return problem;
    const scopes = scope === null ? '' : `, scope "${printableStatedText(scope)}"`;
    return { ...problem, detail: `${wantsOAuth} (${printableStatedText(server.issuer)}${scopes}): ${howToAuthorize}` };
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    if (problem.challenge === undefined) return problem;
    const reason = findOAuthRefusal(error)?.message ?? 'what it says about its authorization cannot be read';
    return { ...problem, detail: `${problem.detail}, but ${reason}; ${howToAuthorize}` };
  }
}

async function answersGetWithEventStream({ url, headers, fetch }: Asked): Promise<boolean> {
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
