import type { Admission } from '#adapters/network/admission.ts';
import { effectOfCall } from '#core/catalog/effect-of-call.ts';
import { isEffectWithinLimit, type AllowedEffect, type OwnersEffects } from '#core/catalog/effect.ts';
import type { Isolation } from '#core/catalog/isolation/isolation.ts';
import { makeParamHeadersOfCall } from '#core/catalog/param-headers.ts';
import { toolNameWithoutServer, serverNameOfToolName, type Tool } from '#core/catalog/tool.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';
import type { Asked, Queued } from '#core/ports.ts';
import type { RedactionRules } from '#core/catalog/redaction/rules.ts';
import { checkAddress } from '#adapters/network/address-guard.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { UnprovenRequests } from '#adapters/network/unproven-requests.ts';
import { CallUser } from './call-user.ts';
import type { McpProblem } from './problems.ts';
import { convertReplyToOutcome } from './results.ts';
import { callToolAndRedact } from './redacted-call.ts';
import { Redactions } from './redactions.ts';
import { makeOutcomeOnlyCall, makeServerFault, type Forwarded, type ServerConnections } from './server-connections.ts';
import { err, type Result } from '#core/values/result.ts';
import type { SimulatedUser } from '#core/models/simulated-user/user.ts';
import { makeFetchWithTokensIfAuth, type ServerAuth } from './oauth/tokens.ts';
import { sendWithinLimitsAndRetryWhenBusy, type ServerGate } from './server-gate.ts';
import { chooseHandshake, openSession, type McpSession, type OpenedSession } from './session.ts';
import { SharedServers, type ServerUse } from './shared-servers.ts';
import { makeTraceContextMaker } from './trace-context.ts';
import type { SessionHandle } from './transport.ts';

/** How to reach a server; the headers are secret. */
export interface ServerAccess {
  readonly name: string;
  /** Null if the server is only described: each call of its tools is a fault. */
  readonly url: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The most that calls may do, and the effects that its owner gave, by the tool's own name. */
  readonly allows: AllowedEffect;
  readonly effects: OwnersEffects;
  /** The version of MCP that it is known to speak; null is one with `initialize`. */
  readonly protocolVersion: string | null;
  /** What of its results and arguments is never kept. */
  readonly redact: RedactionRules;
  /** How its requests are authorized, besides by headers. */
  readonly auth?: ServerAuth | null | undefined;
  /** What lets its requests start; it has no limits if absent. */
  readonly gate?: ServerGate;
  /** How the state that attempts change on it is kept apart. */
  readonly isolation: Isolation;
}

type ConnectedServer = ServerAccess & { readonly url: string };

const hasAddress = (server: ServerAccess): server is ConnectedServer => server.url !== null;

/** What calls of a tool need to know about it. */
type CallableTool = Pick<Tool, 'name' | 'outputSchema' | 'annotations' | 'effect' | 'forced' | 'taskSupport'> &
  Partial<Pick<Tool, 'inputSchema'>>;

export interface ConnectionOptions {
  readonly admission: Admission;
  readonly servers: readonly ServerAccess[];
  /** The tools that may be called, as the catalog has them; their output schemas are used to check results. */
  readonly tools: readonly CallableTool[];
  readonly allowLocal: boolean;
  /** The attempt's name, by which owners of servers can group its calls; without it, one made at random. */
  readonly attempt?: string;
  /** Maximum size of one answer, in bytes after decompression. */
  readonly maxResultBytes?: number;
  readonly connectTimeoutMs?: number;
  /** Time limit for ending the sessions. */
  readonly closeTimeoutMs?: number;
  /** The attempt whose calls these are. Without it servers are neither reset nor used one attempt at a time. */
  readonly use?: ServerUse;
  /** Earlier sessions by server, which are resumed. This keeps state on a server across processes. */
  readonly resume?: Readonly<Record<string, SessionHandle>>;
  /** Called for every new session; null if the server keeps none and is simply reconnected. */
  readonly onSession?: (server: string, session: SessionHandle | null) => void;
  /** Counts requests to hosts that are not proven; null or absent if any number may be made. */
  readonly unproven?: UnprovenRequests | null;
  /** Who answers what servers ask their user; without one, questions are declined, and legacy servers are told that nobody can be asked. */
  readonly user?: SimulatedUser | undefined;
  /** The underlying fetch, for tests. */
  readonly fetch?: FetchLike;
}

/**
 * Opens the connections of one attempt: one session for each server, opened by the first call (parallel calls share it)
 * and ended by `close`, including resumed ones. An unreachable server is tried again by the next call. If a call finds
 * its server unreachable before any session was opened, the other servers are tried too: where none answers, the fault
 * says that the attempt is `unmounted`. A session that its server no longer knows is lost, with its state; the next
 * call opens another one. Before the first call to a server that attempts share, the attempt waits for its turn, and the
 * server is reset if its owner says how. Connecting, calling and ending a session each take a
 * place of the admission, and their time starts when they have it.
 */
export function makeLazyConnections(options: ConnectionOptions): ServerConnections {
  const maxBytes = options.maxResultBytes ?? 4 * 1024 * 1024;
  const { admission, allowLocal, fetch, unproven } = options;
  const admit = makeAdmitOfUnproven(unproven);
  const own = fetch === undefined ? {} : { fetch };
  const guarded = makeGuardedFetch({ admission, allowLocal, maxBytes, admit, ...own });
  const access = new Map(options.servers.map((server) => [server.name, server]));
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const sessions = new Sessions(options, guarded);
  const redactions = new Redactions(options.servers);
  const traceContext = makeTraceContextMaker(options.attempt ?? crypto.randomUUID());
  const shared = makeSharedServersIfUseIsGiven(options, guarded, admit);
  let closed = false;

  const forward: ServerConnections['forward'] = async (tool, args, forwarding) => {
    const name = serverNameOfToolName(tool);
    const server = access.get(name);
    if (closed) return makeServerFault(name, { code: 'connection-lost', detail: 'the attempt has ended' });
    if (server === undefined) {
      return makeServerFault(name, { code: 'unreachable', detail: 'the attempt has no such server' });
    }
    const known = tools.get(tool);
    if (known === undefined)
      return makeServerFault(name, { code: 'not-allowed', detail: `the run does not have the tool ${tool}` });
    const refusal = explainForbiddenEffectOrNull(known, server);
    if (refusal !== null) return makeServerFault(name, { code: 'not-allowed', detail: refusal });
    if (!hasAddress(server)) return makeServerFault(name, notConnected);
    const { queuedMs: queuedToConnectMs, ...opened } = await prepareServerAndGetSession(server, sessions, shared);
    if (!opened.ok) return withQueuedMsAndAsked(opened.problem, { queuedMs: queuedToConnectMs, asked: [] });
    const { params: unmarked, ...asked } = makeCallParamsAndHeaders(known, args, opened.value);
    const params = { ...unmarked, _meta: await traceContext(forwarding.traceparent) };
    const user = new CallUser(options.user ?? null, () => redactions.getServerRedactionHidingTokens(name));
    const calling = { ...forwarding, ...asked, user, desk: opened.value.desk, closed: sessions.closingSignal };
    const limits = { ...calling, maxBytes, admission, gate: server.gate };
    const called = await callToolAndRedact(opened.value.client, params, limits, () =>
      redactions.getServerRedactionHidingTokens(name),
    );
    const added = { queuedMs: queuedToConnectMs + called.queuedMs, asked: user.asked };
    const forgotten = !called.ok && opened.value.handle !== null && called.problem.status === 404;
    if (forgotten) await sessions.forgetSessionUnlessReplaced(name, opened.value);
    const forwarded = forgotten
      ? makeServerFault(name, forgottenSession)
      : await makeOutcomeOrFaultOfCall(name, called, known.outputSchema);
    return withQueuedMsAndAsked(forwarded, added);
  };

  return {
    forward,
    call: makeOutcomeOnlyCall(forward),
    redactArguments: (tool, args) => redactions.redactArguments(tool, args),

    async close() {
      closed = true;
      await sessions.endAll();
      const fault = (await shared?.resetAfterAttemptAndEndTurns()) ?? null;
      await unproven?.giveBackRest();
      return fault;
    },
  };
}

/** The servers that the attempt shares with others; undefined if nobody says which attempt it is. */
function makeSharedServersIfUseIsGiven(
  { use, servers, tools, ...options }: ConnectionOptions,
  fetch: FetchLike,
  admit: Admit,
): SharedServers | undefined {
  return use === undefined ? undefined : new SharedServers(use, servers, tools, { ...options, fetch, admit });
}

type Admit = ((url: URL) => Promise<void>) | undefined;

const makeAdmitOfUnproven = (unproven: UnprovenRequests | null | undefined): Admit =>
  unproven === null || unproven === undefined ? undefined : (url) => unproven.admit(url);

interface AdmittedSession {
  /** How long it took to open, without the time that it waited. */
  readonly spentMs: number;
  readonly opened: OpenedSession;
}

/** The sessions of one attempt, by server. */
class Sessions {
  readonly #options: ConnectionOptions;
  readonly #fetch: FetchLike;
  readonly #resumed: Map<string, SessionHandle>;
  readonly #opening = new Map<string, Promise<AdmittedSession>>();
  readonly #closing = new AbortController();
  #openedAny: boolean;

  constructor(options: ConnectionOptions, fetch: FetchLike) {
    this.#options = options;
    this.#fetch = fetch;
    this.#resumed = new Map(Object.entries(options.resume ?? {}));
    this.#openedAny = this.#resumed.size > 0;
  }

  /** Aborted when the attempt ends: nothing that waits for its turn starts then. */
  get closingSignal(): AbortSignal {
    return this.#closing.signal;
  }

  hasSessionToResume(server: string): boolean {
    return this.#resumed.has(server);
  }

  /** Returns whether a session was ever opened; if not, tries all servers. */
  async canOpenAnySession(): Promise<boolean> {
    if (!this.#openedAny)
      await Promise.all(this.#options.servers.filter(hasAddress).map((server) => this.getOrOpenSession(server)));
    return this.#openedAny;
  }

  /** Drops a session that its server no longer knows, unless another one was opened since. */
  async forgetSessionUnlessReplaced(server: string, session: McpSession): Promise<void> {
    const admitted = await this.#opening.get(server);
    if (admitted?.opened.ok !== true || admitted.opened.value !== session) return;
    this.#opening.delete(server);
    this.#resumed.delete(server);
  }

  /** The session with a server, opened where there is none yet. */
  getOrOpenSession(server: ConnectedServer): Promise<AdmittedSession> {
    const existing = this.#opening.get(server.name);
    if (existing !== undefined) return existing;
    const opening = this.#openSessionWithRetries(server).then(
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
    const { servers } = this.#options;
    this.#closing.abort();
    const byName = new Map(servers.filter(hasAddress).map((server) => [server.name, server]));
    const known = [...byName.values()].filter(({ name }) => this.#opening.has(name) || this.hasSessionToResume(name));
    const all = known.map((server) => ({ server, opening: this.getOrOpenSession(server) }));
    this.#opening.clear();
    await Promise.all(
      all.map(async ({ server, opening }) => {
        // The caller that asked for the session has already received the platform's error.
        const admitted = await opening.catch(() => undefined);
        if (admitted?.opened.ok === true) await this.#endSession(server, admitted.opened.value);
      }),
    );
  }

  /** Ends a session. Where its server's limits leave no place for that, the server has to forget it by itself. */
  async #endSession({ gate }: ConnectedServer, { handle, end, client }: McpSession): Promise<void> {
    const { admission, closeTimeoutMs = 2_000 } = this.#options;
    const waiting = { gate: handle === null ? undefined : gate, requests: 1, mostWaitMs: longestEndWaitMs };
    const { sent } = await sendWithinLimitsAndRetryWhenBusy(waiting, async () => {
      await admission.runHoldingPlace(() => end(closeTimeoutMs));
      return ended;
    });
    if (!sent.ok) await client.close();
  }

  /** Opens a session in a place of its own, again where a busy server says when. */
  async #openSessionWithRetries(server: ConnectedServer): Promise<AdmittedSession> {
    const { protocolVersion, name } = server;
    const isSilent = this.hasSessionToResume(name) || chooseHandshake(protocolVersion) !== 'initialize';
    const waiting = {
      gate: isSilent ? undefined : server.gate,
      requests: requestsToInitialize,
      signal: this.closingSignal,
    };
    let spentMs = 0;
    const { sent } = await sendWithinLimitsAndRetryWhenBusy(waiting, () =>
      this.#options.admission.runHoldingPlace(async () => {
        const begun = Date.now();
        const opened = await this.#openSessionWithoutRetry(server);
        spentMs += Date.now() - begun;
        return opened;
      }),
    );
    return { spentMs, opened: sent };
  }

  get #connectTimeoutMs(): number {
    return this.#options.connectTimeoutMs ?? 15_000;
  }

  async #openSessionWithoutRetry(server: ConnectedServer): Promise<OpenedSession> {
    const { onSession } = this.#options;
    const timeoutMs = this.#connectTimeoutMs;
    const address = checkAddress(server.url, this.#options);
    if (!address.ok) return err({ kind: 'fault', code: 'address-forbidden', detail: address.problem.detail });
    const resume = this.#resumed.get(server.name);
    const { headers, protocolVersion } = server;
    const beginning = chooseHandshake(protocolVersion);
    const { admission } = this.#options;
    const fetch = makeFetchWithTokensIfAuth(server.auth, this.#fetch, { admission, connectMs: timeoutMs });
    const mayAsk = this.#options.user !== undefined;
    const opened = await openSession({ url: address.value, headers, fetch, timeoutMs, beginning, resume, mayAsk });
    if (opened.ok) this.#openedAny = true;
    if (opened.ok && resume === undefined) onSession?.(server.name, opened.value.handle);
    return opened;
  }
}

/** `initialize` and its notification. */
const requestsToInitialize = 2;

/** How long the end of a session waits for a place at most, in milliseconds. */
const longestEndWaitMs = 5_000;

const ended = { ok: true } as const;

/** Makes a server ready for a call, and returns the session with it, or the fault that keeps the call from being made. */
async function prepareServerAndGetSession(
  server: ConnectedServer,
  sessions: Sessions,
  shared: SharedServers | undefined,
): Promise<Result<McpSession, ServerFault> & { readonly queuedMs: number }> {
  const ready = await shared?.waitForTurnAndResetBeforeFirstCall(server.name);
  const preparedMs = ready?.waitedMs ?? 0;
  if (ready?.ok === false) return { ...err(makeServerFault(server.name, ready.problem)), queuedMs: preparedMs };
  const asked = Date.now();
  const { spentMs, opened } = await sessions.getOrOpenSession(server);
  const queuedMs = preparedMs + Math.max(0, Date.now() - asked - spentMs);
  if (opened.ok) return { ...opened, queuedMs };
  const fault = makeNotOpenedFault(server.name, opened.problem);
  const unmounted = !(await sessions.canOpenAnySession());
  return { ...err(unmounted ? { ...fault, unmounted } : fault), queuedMs };
}

type ServerFault = ReturnType<typeof makeServerFault>;

function makeCallParamsAndHeaders(tool: CallableTool, args: JsonObject, { isModern }: McpSession) {
  const { name, forced, inputSchema = {}, taskSupport } = tool;
  const params = { name: toolNameWithoutServer(name), arguments: { ...args, ...forced } };
  const headers = isModern ? makeParamHeadersOfCall(inputSchema, params.arguments) : {};
  return { params, headers, needsTask: taskSupport === 'required' && !isModern };
}

/** Returns the outcome of a call, or whose fault it is that there is none. */
async function makeOutcomeOrFaultOfCall(
  name: string,
  called: Awaited<ReturnType<typeof callToolAndRedact>>,
  outputSchema: JsonObject | undefined,
): Promise<Forwarded> {
  if (!called.ok) {
    const { ofUser } = called.problem;
    return ofUser === undefined ? makeServerFault(name, called.problem) : { kind: 'fault', fault: ofUser };
  }
  const outcome = await convertReplyToOutcome(called.reply, outputSchema);
  return outcome === undefined ? makeServerFault(name, notMcp) : { kind: 'answered', answer: called.reply, outcome };
}

const withQueuedMsAndAsked = (forwarded: Forwarded, { queuedMs, asked }: Required<Queued & Asked>): Forwarded => ({
  ...forwarded,
  ...(queuedMs === 0 ? {} : { queuedMs }),
  ...(asked.length === 0 ? {} : { asked }),
});

/** Returns why a tool may not be called; null if it may. */
function explainForbiddenEffectOrNull(tool: CallableTool, { allows, effects }: ServerAccess): string | null {
  const effect = effectOfCall(tool, effects);
  return isEffectWithinLimit(effect, allows)
    ? null
    : `the owner of the server allows calls up to "${allows}"; of this one the effect is "${effect}"`;
}

const notConnected = {
  code: 'not-connected',
  detail: 'the server is not connected: it is only described, and nobody says where it runs',
} as const;

const notMcp = { code: 'malformed-protocol', detail: 'the answer is not MCP' } as const;

const forgottenSession = { code: 'connection-lost', detail: 'the server no longer knows the session' } as const;

/** A server that rejects `initialize`, or answers it with too much data, is unusable; no tool was called. */
function makeNotOpenedFault(server: string, problem: McpProblem): ReturnType<typeof makeServerFault> {
  if (problem.kind === 'fault') return makeServerFault(server, problem);
  const detail =
    problem.kind === 'answer' ? `initialize was refused (${problem.code})` : 'initialize answered too much';
  return makeServerFault(server, { code: 'malformed-protocol', detail });
}
