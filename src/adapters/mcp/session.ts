import {
  Client,
  SUPPORTED_PROTOCOL_VERSIONS,
  type ClientCapabilities,
  type PriorDiscovery,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import { isModernVersion } from '#core/catalog/protocol-version.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { tasksExtension } from '#core/traces/tasks/server-task.ts';
import { QuestionDesk } from './call-user.ts';
import { implementation } from '#adapters/network/implementation.ts';
import { noValidator } from './no-validator.ts';
import { toMcpProblemOrRethrowPlatformError, unknownVersionProblem, type McpProblem } from './problems.ts';
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
  /** Where a legacy server's questions to its user arrive; absent if it may not ask, or asks in its results. */
  readonly desk?: QuestionDesk | undefined;
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
  /** Whether a legacy server may ask its user: by `initialize` it has to be told. */
  readonly mayAsk?: boolean | undefined;
}

/**
 * Connects to a server, within `timeoutMs` in total; with `resume` nothing is sent yet. The caller holds a place.
 */
export async function openSession(options: SessionOptions): Promise<OpenedSession> {
  const { beginning, timeoutMs: timeout } = options;
  const transport = new WatchedTransport(options);
  const desk = beginning === 'initialize' && options.mayAsk === true ? new QuestionDesk() : undefined;
  const client = new Client(implementation, {
    capabilities: chooseClientCapabilities(beginning, desk),
    jsonSchemaValidator: noValidator,
    versionNegotiation: { mode: beginning === 'negotiate' ? 'auto' : 'legacy' },
  });
  if (desk !== undefined)
    client.setRequestHandler('elicitation/create', { params: anyParams }, (params) =>
      desk.answer({ method: 'elicitation/create', params }),
    );
  const prior = typeof beginning === 'string' ? {} : { prior: makeDiscoveryOfKnownVersion(beginning.version) };
  const opened = await awaitWithTimeoutOrClose(timeout, client, client.connect(transport, { timeout, ...prior }));
  if (!opened.ok) return err(findVersionProblem(transport) ?? opened.problem);
  const protocolVersion = client.getNegotiatedProtocolVersion() ?? null;
  return ok({
    client,
    handle: transport.sessionHandle,
    protocolVersion,
    isModern: client.getProtocolEra() === 'modern',
    desk,
    end: (ms) => endSession(client, transport, ms),
  });
}

const anyParams = z.record(z.string(), z.unknown());

/** A server without sessions may always ask in its results, and begin tasks; a legacy one may ask if somebody answers. */
const chooseClientCapabilities = (beginning: Beginning, desk: QuestionDesk | undefined): ClientCapabilities => {
  if (typeof beginning !== 'string') return { elicitation: { form: {} }, extensions: { [tasksExtension]: {} } };
  return desk === undefined ? {} : { elicitation: { form: {} } };
};

/** The SDK takes over what a server has said about itself; for calls its version alone counts. */
const makeDiscoveryOfKnownVersion = (version: string): PriorDiscovery => ({
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
    if (!late) return err(toMcpProblemOrRethrowPlatformError(error));
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
