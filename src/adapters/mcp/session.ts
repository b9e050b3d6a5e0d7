import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import { err, ok, type Result } from '#core/result.ts';
import { implementation } from './implementation.ts';
import { noValidator } from './no-validator.ts';
import { toProblemUnlessPlatformError, type McpProblem } from './problems.ts';
import { WatchedTransport, type SessionHandle } from './transport.ts';

/** An initialized connection to one MCP server. */
export interface McpSession {
  readonly client: Client;
  /** Null if the server keeps no session. */
  readonly handle: SessionHandle | null;
  /**
   * Ends the session on the server and closes the connection, within `timeoutMs`. The caller holds a place. Never
   * rejects.
   */
  end(timeoutMs: number): Promise<void>;
}

export type OpenedSession = Result<McpSession, McpProblem>;

/**
 * Connects to a server and initializes, within `timeoutMs` in total; with `resume` nothing is sent yet. The caller
 * holds a place.
 */
export async function openSession(options: {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: FetchLike;
  readonly timeoutMs: number;
  readonly resume?: SessionHandle | undefined;
}): Promise<OpenedSession> {
  const transport = new WatchedTransport(options);
  const client = new Client(implementation, { jsonSchemaValidator: noValidator });
  const opened = await awaitWithTimeoutOrClose(
    options.timeoutMs,
    client,
    client.connect(transport, { timeout: options.timeoutMs }),
  );
  if (!opened.ok) return opened;
  return ok({ client, handle: transport.sessionHandle, end: (ms) => endSession(client, transport, ms) });
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
    if (!late) return err(toProblemUnlessPlatformError(error));
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
