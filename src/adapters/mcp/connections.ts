import type { Admission } from '#adapters/network/admission.ts';
import { nameOnServer, serverOf, type Tool } from '#core/catalog/tool.ts';
import { checkAddress } from '#adapters/network/address-guard.ts';
import { callTool } from './call-tool.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { McpProblem } from './problems.ts';
import { convertReply } from './results.ts';
import { makeCall, makeServerFault, type Forwarded, type ServerConnections } from './server-connections.ts';
import { err } from '#core/result.ts';
import { openSession, type OpenedSession } from './session.ts';
import type { SessionHandle } from './transport.ts';

/** How to reach a server; the headers are secret. */
export interface ServerAccess {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ConnectionOptions {
  readonly admission: Admission;
  readonly servers: readonly ServerAccess[];
  /** The tools of the catalog; their output schemas are used to check results. */
  readonly tools: readonly Pick<Tool, 'name' | 'outputSchema'>[];
  readonly allowLocal: boolean;
  /** Maximum size of one answer, in bytes after decompression. */
  readonly maxResultBytes?: number;
  readonly connectTimeoutMs?: number;
  /** Time limit for ending the sessions. */
  readonly closeTimeoutMs?: number;
  /** Earlier sessions by server, which are resumed. This keeps state on a server across processes. */
  readonly resume?: Readonly<Record<string, SessionHandle>>;
  /** Called for every new session; null if the server keeps none and is simply reconnected. */
  readonly onSession?: (server: string, session: SessionHandle | null) => void;
  /** The underlying fetch, for tests. */
  readonly fetch?: FetchLike;
}

/**
 * Opens the connections of one attempt: one session for each server, opened by the first call (parallel calls share it)
 * and ended by `close`, including resumed ones. An unreachable server is tried again by the next call. A resumed
 * session that its server no longer knows is lost, with its state. Connecting, calling and ending a session each take a
 * place of the admission, and their time starts when they have it.
 */
export function openConnections(options: ConnectionOptions): ServerConnections {
  const maxBytes = options.maxResultBytes ?? 4 * 1024 * 1024;
  const { admission, fetch } = options;
  const guarded = makeGuardedFetch({
    admission,
    allowLocal: options.allowLocal,
    maxBytes,
    ...(fetch === undefined ? {} : { fetch }),
  });
  const access = new Map(options.servers.map((server) => [server.name, server]));
  const outputSchemas = new Map(options.tools.map((tool) => [tool.name, tool.outputSchema]));
  const sessions = new Sessions(options, guarded);
  let closed = false;

  const forward: ServerConnections['forward'] = async (tool, args, forwarding) => {
    const name = serverOf(tool);
    const server = access.get(name);
    if (closed) return makeServerFault(name, { code: 'connection-lost', detail: 'the attempt has ended' });
    if (server === undefined) {
      return makeServerFault(name, { code: 'unreachable', detail: 'the attempt has no such server' });
    }
    const asked = Date.now();
    const { admittedAtMs, opened } = await sessions.getOrOpen(server);
    const queuedToConnectMs = Math.max(0, admittedAtMs - asked);
    if (!opened.ok) return withQueuedMs(unopenedFault(name, opened.problem), queuedToConnectMs);
    const params = { name: nameOnServer(tool), arguments: { ...args } };
    const called = await callTool(opened.value.client, params, { ...forwarding, maxBytes, admission });
    const queuedMs = queuedToConnectMs + called.queuedMs;
    if (!called.ok) {
      const forgotten = sessions.isResumed(name) && called.problem.status === 404;
      return withQueuedMs(makeServerFault(name, forgotten ? forgottenSession : called.problem), queuedMs);
    }
    const outcome = await convertReply(called.reply, outputSchemas.get(tool));
    if (outcome === undefined) {
      return withQueuedMs(
        makeServerFault(name, { code: 'malformed-protocol', detail: 'the answer is not MCP' }),
        queuedMs,
      );
    }
    return withQueuedMs({ kind: 'answered', answer: called.reply, outcome }, queuedMs);
  };

  return {
    forward,
    call: makeCall(forward),

    async close() {
      closed = true;
      await sessions.endAll();
    },
  };
}

interface AdmittedSession {
  readonly admittedAtMs: number;
  readonly opened: OpenedSession;
}

/** The sessions of one attempt, by server. */
class Sessions {
  readonly #options: ConnectionOptions;
  readonly #fetch: FetchLike;
  readonly #resumed: ReadonlyMap<string, SessionHandle>;
  readonly #opening = new Map<string, Promise<AdmittedSession>>();

  constructor(options: ConnectionOptions, fetch: FetchLike) {
    this.#options = options;
    this.#fetch = fetch;
    this.#resumed = new Map(Object.entries(options.resume ?? {}));
  }

  isResumed(server: string): boolean {
    return this.#resumed.has(server);
  }

  /** The session with a server, opened where there is none yet. */
  getOrOpen(server: ServerAccess): Promise<AdmittedSession> {
    const existing = this.#opening.get(server.name);
    if (existing !== undefined) return existing;
    const opening = this.#options.admission
      .hold(async () => ({ admittedAtMs: Date.now(), opened: await this.#open(server) }))
      .then(
        (admitted) => {
          if (!admitted.opened.ok) this.#opening.delete(server.name);
          return admitted;
        },
        (error: unknown) => {
          this.#opening.delete(server.name);
          throw error;
        },
      );
    this.#opening.set(server.name, opening);
    return opening;
  }

  /** Ends the sessions that were opened or resumed. */
  async endAll(): Promise<void> {
    const { admission, servers, closeTimeoutMs = 2_000 } = this.#options;
    const byName = new Map(servers.map((server) => [server.name, server]));
    const known = [...byName.values()].filter(({ name }) => this.#opening.has(name) || this.isResumed(name));
    const all = known.map((server) => this.getOrOpen(server));
    this.#opening.clear();
    await Promise.all(
      all.map(async (opening) => {
        // The caller that asked for the session has already received the platform's error.
        const admitted = await opening.catch(() => undefined);
        if (admitted?.opened.ok !== true) return;
        const { end } = admitted.opened.value;
        await admission.hold(() => end(closeTimeoutMs));
      }),
    );
  }

  async #open(server: ServerAccess): Promise<OpenedSession> {
    const { connectTimeoutMs: timeoutMs = 15_000, onSession } = this.#options;
    const address = checkAddress(server.url, this.#options);
    if (!address.ok) return err({ kind: 'fault', code: 'address-forbidden', detail: address.problem.detail });
    const resume = this.#resumed.get(server.name);
    const { headers } = server;
    const opened = await openSession({ url: address.value, headers, fetch: this.#fetch, timeoutMs, resume });
    if (opened.ok && resume === undefined) onSession?.(server.name, opened.value.handle);
    return opened;
  }
}

const withQueuedMs = (forwarded: Forwarded, queuedMs: number): Forwarded =>
  queuedMs === 0 ? forwarded : { ...forwarded, queuedMs };

const forgottenSession = { code: 'connection-lost', detail: 'the server no longer knows the session' } as const;

/** A server that rejects `initialize`, or answers it with too much data, is unusable; no tool was called. */
function unopenedFault(server: string, problem: McpProblem): Forwarded {
  if (problem.kind === 'fault') return makeServerFault(server, problem);
  const detail =
    problem.kind === 'answer' ? `initialize was refused (${problem.code})` : 'initialize answered too much';
  return makeServerFault(server, { code: 'malformed-protocol', detail });
}
