import { Client, SUPPORTED_PROTOCOL_VERSIONS, type PriorDiscovery } from '@modelcontextprotocol/client';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import { isModernVersion } from '#core/catalog/protocol-version.ts';
import { err, ok, type Result } from '#core/result.ts';
import { implementation } from './implementation.ts';
import { noValidator } from './no-validator.ts';
import { convertErrorOrRethrowPlatform, unknownVersionProblem, type McpProblem } from './problems.ts';
import { WatchedTransport, type SessionHandle } from './transport.ts';

/** A connection to one MCP server that is ready for requests. */
export interface McpSession {
  readonly client: Client;
  /** Null if the server keeps no session. */
  readonly handle: SessionHandle | null;
  /** The version of the protocol that both speak; null in a resumed session. */
  readonly protocolVersion: string | null;
  /** Whether it began without `initialize`. */
  readonly isModern: boolean;
  /**
   * Ends the session on the server and closes the connection, within `timeoutMs`. The caller holds a place. Never
   * rejects.
   */
  end(timeoutMs: number): Promise<void>;
}

export type OpenedSession = Result<McpSession, McpProblem>;

/**
 * How a connection begins: by asking which era of the protocol the server speaks (`negotiate`), by `initialize`, or, for a
 * server that is known to speak a version without sessions, with nothing at all.
 */
export type Beginning = 'negotiate' | 'initialize' | { readonly version: string };

/** Returns how to begin with a server that was found to speak a version; null is an earlier release's finding. */
export const chooseHandshake = (version: string | null): Beginning =>
  version !== null && isModernVersion(version) ? { version } : 'initialize';

export interface SessionOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
  readonly timeoutMs: number;
  readonly beginning: Beginning;
  readonly resume?: SessionHandle | undefined;
}

/**
 * Connects to a server, within `timeoutMs` in total; with `resume` nothing is sent yet. The caller holds a place.
 */
export async function openSession(options: SessionOptions): Promise<OpenedSession> {
  const { beginning, timeoutMs: timeout } = options;
  const transport = new WatchedTransport(options);
  const asksUser = typeof beginning !== 'string';
  const client = new Client(implementation, {
    capabilities: asksUser ? { elicitation: { form: {} } } : {},
    jsonSchemaValidator: noValidator,
    versionNegotiation: { mode: beginning === 'negotiate' ? 'auto' : 'legacy' },
  });
  // Nobody sits there: what a server asks its user in a call is declined.
  if (asksUser) client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }));
  const prior = typeof beginning === 'string' ? {} : { prior: makeKnownDiscovery(beginning.version) };
  const opened = await awaitWithTimeoutOrClose(timeout, client, client.connect(transport, { timeout, ...prior }));
  if (!opened.ok) return err(findVersionProblem(transport) ?? opened.problem);
  const protocolVersion = client.getNegotiatedProtocolVersion() ?? null;
  return ok({
    client,
    handle: transport.sessionHandle,
    protocolVersion,
    isModern: client.getProtocolEra() === 'modern',
    end: (ms) => endSession(client, transport, ms),
  });
}

/** The SDK takes over what a server has said about itself; for calls its version alone counts. */
const makeKnownDiscovery = (version: string): PriorDiscovery => ({
  kind: 'modern',
  discover: { supportedVersions: [version], capabilities: {} },
});

/** The SDK refuses an unknown version only in words. */
function findVersionProblem({ initializedVersion }: WatchedTransport): McpProblem | undefined {
  if (initializedVersion === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(initializedVersion)) return undefined;
  return unknownVersionProblem({ supported: [initializedVersion] });
}

/** Awaits work on a connection for at most `timeoutMs`; then closes the connection, which ends the work. */
export async function awaitWithTimeoutOrClose<T>(
  timeoutMs: number,
  client: Client,
  work: Promise<T>,
): Promise<Result<T, McpProblem>> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void client.close();
  }, timeoutMs);
  try {
    return ok(await work);
  } catch (error) {
    if (!late) return err(convertErrorOrRethrowPlatform(error));
    return err({ kind: 'fault', code: 'timeout', detail: `no answer within ${timeoutMs} ms` });
  } finally {
    clearTimeout(timer);
  }
}

async function endSession(client: Client, transport: WatchedTransport, timeoutMs: number): Promise<void> {
  // The connection is closed even if the server keeps its session or the platform sends nothing more.
  await awaitWithTimeoutOrClose(timeoutMs, client, transport.endServerSession()).catch(() => undefined);
  await client.close().catch(() => undefined);
}
