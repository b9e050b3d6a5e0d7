import { ProtocolErrorCode, type Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Admission, Place } from '#adapters/network/admission.ts';
import { isTooDeep, maxJsonDepth } from '#core/json-depth.ts';
import type { ServerReply } from '#core/server-reply.ts';
import { tooDeepResultText, tooLargeResultText } from '#core/traces/spoilt-call.ts';
import { convertErrorOrRethrowPlatform, type McpProblem } from './problems.ts';
import type { ForwardOptions } from './server-connections.ts';
import { sendWithinLimits, type ServerGate } from './server-gate.ts';

/** `queuedMs`: how long the call waited for its place, within its server's limits, and because the server was busy. */
type ToolCalled =
  | { readonly ok: true; readonly reply: ServerReply; readonly queuedMs: number }
  | {
      readonly ok: false;
      readonly problem: Extract<McpProblem, { readonly kind: 'fault' }>;
      readonly queuedMs: number;
    };

/** Any result of a server; the parts that we read are checked later. */
const anyResult = z.record(z.string(), z.unknown());

type ToolCallParams = {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly _meta: { readonly traceparent: string };
};

type ToolCallOptions = ForwardOptions & {
  readonly maxBytes: number;
  readonly admission: Admission;
  /** More headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What lets calls of a server with limits start. */
  readonly gate?: ServerGate | undefined;
  /** Aborted when nothing that still waits for its turn may start. */
  readonly closed?: AbortSignal;
};

/**
 * Makes one tools/call; its time runs only while the request is under way. If a busy server (429 or 503) says when to try again, the
 * request is repeated then, within `longestAskedWaitMs`. A reply of more than `maxBytes`, or nested too deep, becomes a
 * JSON-RPC error: the tool failed, but its server works.
 */
export async function callTool(client: Client, params: ToolCallParams, options: ToolCallOptions): Promise<ToolCalled> {
  const { gate, mostWaitMs } = options;
  const signals = [options.signal, options.closed].filter((each) => each !== undefined);
  const signal = signals.length === 0 ? undefined : AbortSignal.any(signals);
  let [queuedMs, spentMs] = [0, 0];
  const { sent, waitedMs } = await sendWithinLimits({ gate, requests: 1, signal, mostWaitMs }, async () => {
    const begun = Date.now();
    const called = await sendCallOnce(client, params, {
      ...options,
      timeoutMs: Math.max(1, options.timeoutMs - spentMs),
    });
    queuedMs += called.queuedMs;
    spentMs += Date.now() - begun - called.queuedMs;
    return called;
  });
  return { ...sent, queuedMs: queuedMs + waitedMs };
}

async function sendCallOnce(client: Client, params: ToolCallParams, options: ToolCallOptions): Promise<ToolCalled> {
  const { signal, onProgress, admission, headers = {} } = options;
  // The SDK never stops listening: a signal that outlives the call would cancel a call that was answered long ago.
  const brokenOff = new AbortController();
  const breakOff = (): void => brokenOff.abort();
  if (signal?.aborted === true) breakOff();
  signal?.addEventListener('abort', breakOff);
  let place: Place | undefined;
  try {
    place = await admission.waitForPlace(brokenOff.signal);
    const { queuedMs } = place;
    const result = await client.request({ method: 'tools/call', params }, anyResult, {
      timeout: options.timeoutMs,
      signal: brokenOff.signal,
      headers,
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    });
    const reply = isTooDeep(result) ? makeErrorReply(tooDeepResultText(maxJsonDepth)) : makeResultReply(result);
    return { ok: true, reply, queuedMs };
  } catch (error) {
    const problem = convertErrorOrRethrowPlatform(error);
    const queuedMs = place?.queuedMs ?? 0;
    if (problem.kind === 'answer') {
      const { kind: _answer, data, ...said } = problem;
      const error = data === undefined || isTooDeep(data) ? said : { ...said, data };
      return { ok: true, reply: { kind: 'error', error }, queuedMs };
    }
    if (problem.kind === 'too-large') {
      return { ok: true, reply: makeErrorReply(tooLargeResultText(options.maxBytes)), queuedMs };
    }
    if (!brokenOff.signal.aborted) return { ok: false, problem, queuedMs };
    const detail = 'the caller broke the call off';
    return { ok: false, problem: { kind: 'fault', code: 'connection-lost', detail }, queuedMs };
  } finally {
    place?.leave();
    signal?.removeEventListener('abort', breakOff);
  }
}

const makeResultReply = (result: Record<string, unknown>): ServerReply => ({ kind: 'result', result });

const makeErrorReply = (message: string): ServerReply => ({
  kind: 'error',
  error: { code: ProtocolErrorCode.InternalError, message },
});
