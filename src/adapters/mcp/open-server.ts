import { checkAddress } from '#adapters/network/address-guard.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { err, type Result } from '#core/values/result.ts';
import { makeFetchWithTokensIfAuth, type ServerAuth } from './oauth/tokens.ts';
import type { McpProblem } from './problems.ts';
import { sendWithinLimitsAndRetryWhenBusy, type ServerGate } from './server-gate.ts';
import { chooseHandshake, openSession, type McpSession } from './session.ts';

export interface OpenServerOptions {
  readonly admission: Admission;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The version of MCP that it spoke when it was listed. */
  readonly protocolVersion: string | null;
  readonly allowLocal: boolean;
  /** How its requests are authorized, besides by headers. */
  readonly auth?: ServerAuth | undefined;
  /** What lets its requests start; it has no limits if absent. */
  readonly gate?: ServerGate | undefined;
  /** Counts its requests; rejects if their host gets no more. */
  readonly admit?: ((url: URL) => Promise<void>) | undefined;
  /** Time limit for the opening. */
  readonly timeoutMs: number;
  /** Maximum size of one answer. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** The underlying fetch, for tests. */
  readonly fetch?: FetchLike;
}

/** Opens a session with a registered server, within its limits; or says why there is none. Rejects only with PlatformErrors. */
export async function openServer(options: OpenServerOptions): Promise<Result<McpSession, string>> {
  const { admission, allowLocal, headers, fetch, admit, timeoutMs, maxBytes, gate, signal } = options;
  const address = checkAddress(options.url, options);
  if (!address.ok) return err(address.problem.detail);
  const bounds = { admission, allowLocal, maxBytes, admit };
  const guarded = makeFetchWithTokensIfAuth(
    options.auth,
    makeGuardedFetch({ ...bounds, ...(fetch === undefined ? {} : { fetch }) }),
    { admission, connectMs: timeoutMs },
  );
  const known = chooseHandshake(options.protocolVersion);
  // A server without `initialize` says what it has, such as resources, when it is asked for its versions.
  const beginning = typeof known === 'string' ? known : 'negotiate';
  const { sent: opened } = await sendWithinLimitsAndRetryWhenBusy(
    { gate, requests: 2, signal, mostWaitMs: timeoutMs },
    () =>
      admission.runHoldingPlace(() =>
        openSession({ url: address.value, headers, fetch: guarded, timeoutMs, beginning }),
      ),
  );
  return opened.ok ? opened : err(describeProblem(opened.problem));
}

const describeProblem = (problem: McpProblem): string => {
  switch (problem.kind) {
    case 'answer':
      return `initialize was refused (${problem.code})`;
    case 'too-large':
      return 'initialize answered too much';
    case 'fault':
      return problem.detail;
  }
};
