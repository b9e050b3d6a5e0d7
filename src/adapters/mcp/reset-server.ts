import { Webhook } from 'standardwebhooks';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { backoffMs } from '#core/values/backoff.ts';
import { valueWithAttemptIdFilledIn, type Reset } from '#core/catalog/isolation/isolation.ts';
import { isJsonObject } from '#core/values/json-schema/json-object.ts';
import { makeServerRedaction } from '#core/traces/redaction/redaction.ts';
import { noRules } from '#core/catalog/redaction/rules.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { callTool } from './call-tool.ts';
import { CallUser } from './call-user.ts';
import { makeFetchWithTokensIfAuth, type ServerAuth } from './oauth/tokens.ts';
import type { ServerGate } from './server-gate.ts';
import { chooseHandshake, openSession, type SessionOptions } from './session.ts';
import { makeTraceContextMaker } from './trace-context.ts';

/** Time limit for one try: restoring a database takes its time. */
const timeoutMs = 60_000;
const tries = 3;
const betweenTries = { firstMs: 500, longestMs: 2_000 };
const maxAnswerBytes = 256 * 1024;

/** A server that is reset, with the secrets that this takes. */
export interface ResetServer {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly auth?: ServerAuth | null | undefined;
  readonly protocolVersion: string | null;
  readonly isolation: Reset;
  /** What lets its requests start; it has no limits if absent. */
  readonly gate?: ServerGate | undefined;
}

interface ResetOptions extends Pick<SessionOptions, 'fetch'> {
  readonly admission: Admission;
  readonly allowLocal: boolean;
  /** Counts the requests to the webhook; rejects if its host gets no more. */
  readonly admit?: ((url: URL) => Promise<void>) | undefined;
  readonly attempt: string;
}

/**
 * Resets a server's state for an attempt, in at most three tries. Returns what went wrong last, in words without secrets;
 * rejects only if the platform stopped it. A reset may run more than once.
 */
export async function resetServerWithRetries(
  server: ResetServer,
  options: ResetOptions,
): Promise<Result<null, string>> {
  const { by } = server.isolation;
  const once = (): Promise<Result<null, string>> =>
    'tool' in by ? callResetTool(server, by, options) : postResetWebhook(server, by, options);
  for (let attempt = 1; ; attempt += 1) {
    const done = await once();
    if (done.ok || attempt === tries) return done;
    await new Promise((resolve) => setTimeout(resolve, backoffMs(betweenTries, attempt)));
  }
}

type ToolReset = Extract<Reset['by'], { readonly tool: string }>;
type WebhookReset = Exclude<Reset['by'], ToolReset>;

/** Calls the tool in a session of its own, so that the attempt's begins after it. */
async function callResetTool(
  { url, headers, auth, protocolVersion, gate }: ResetServer,
  { tool, arguments: given }: ToolReset,
  { admission, attempt, fetch: guarded }: ResetOptions,
): Promise<Result<null, string>> {
  const beginning = chooseHandshake(protocolVersion);
  const fetch = makeFetchWithTokensIfAuth(auth, guarded, { admission, connectMs: timeoutMs });
  const opened = await admission.runHoldingPlace(() =>
    openSession({ url: new URL(url), headers, fetch, timeoutMs, beginning }),
  );
  if (!opened.ok) return err(`its session could not be opened: ${problemText(opened.problem)}`);
  const { client, end } = opened.value;
  try {
    const filled = valueWithAttemptIdFilledIn(given, attempt);
    const _meta = await makeTraceContextMaker(attempt)(undefined);
    const params = { name: tool, arguments: isJsonObject(filled) ? filled : {}, _meta };
    const user = new CallUser(null, () => makeServerRedaction(noRules, headers));
    const called = await callTool(client, params, { timeoutMs, admission, maxBytes: maxAnswerBytes, gate, user });
    if (!called.ok) return err(`the call of ${tool} failed: ${called.problem.detail}`);
    if (called.reply.kind === 'error') return err(`${tool} was refused (${called.reply.error.code})`);
    return called.reply.result['isError'] === true ? err(`${tool} reported an error`) : ok(null);
  } finally {
    await admission.runHoldingPlace(() => end(2_000));
  }
}

const problemText = (problem: { readonly kind: string; readonly detail?: string }): string =>
  problem.detail ?? problem.kind;

/** Posts a signed message by the rules of Standard Webhooks; any 2xx is a success. */
async function postResetWebhook(
  { name, isolation: { when } }: ResetServer,
  { webhook, secret }: WebhookReset,
  { admission, allowLocal, admit, attempt }: ResetOptions,
): Promise<Result<null, string>> {
  const now = new Date();
  const data = { server: name, attempt, when };
  const body = JSON.stringify({ type: 'attempt.reset', timestamp: now.toISOString(), data });
  const id = `msg_${crypto.randomUUID()}`;
  const fetch = makeGuardedFetch({ admission, allowLocal, maxBytes: maxAnswerBytes, timeoutMs, admit });
  try {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    };
    const response = await fetch(webhook, { method: 'POST', headers, body });
    await response.body?.cancel();
    return response.ok ? ok(null) : err(`the webhook answered with HTTP status ${response.status}`);
  } catch (error) {
    if (findPlatformError(error) !== undefined) throw error;
    return err(`the webhook could not be reached: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}
