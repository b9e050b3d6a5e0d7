import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { ServerReply } from '#core/server-reply.ts';
import { problemOf, type McpProblem } from './problems.ts';
import type { ForwardOptions } from './server-connections.ts';

type ToolCalled =
  | { readonly ok: true; readonly reply: ServerReply }
  | { readonly ok: false; readonly problem: Extract<McpProblem, { readonly kind: 'fault' }> };

/** Whatever a server gives as a result: what is read of it is checked later. */
const anyResult = z.record(z.string(), z.unknown());

/** One tools/call. A reply of more than `maxBytes` is a JSON-RPC error: the tool has failed, its server is all right. */
export async function callTool(
  client: Client,
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  options: ForwardOptions & { readonly maxBytes: number },
): Promise<ToolCalled> {
  const { signal, onProgress } = options;
  // The sdk never stops listening: a signal that outlives the call would cancel what was answered long ago.
  const brokenOff = new AbortController();
  const breakOff = (): void => brokenOff.abort();
  if (signal?.aborted === true) breakOff();
  signal?.addEventListener('abort', breakOff);
  try {
    const result = await client.request({ method: 'tools/call', params }, anyResult, {
      timeout: options.timeoutMs,
      signal: brokenOff.signal,
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    });
    return { ok: true, reply: { kind: 'result', result } };
  } catch (error) {
    const problem = problemOf(error);
    if (problem.kind === 'answer') {
      const { kind: _answer, ...said } = problem;
      return { ok: true, reply: { kind: 'error', error: said } };
    }
    if (problem.kind === 'too-large') {
      const message = `result larger than ${options.maxBytes} bytes`;
      return { ok: true, reply: { kind: 'error', error: { code: ErrorCode.InternalError, message } } };
    }
    if (!brokenOff.signal.aborted) return { ok: false, problem };
    return { ok: false, problem: { kind: 'fault', code: 'connection-lost', detail: 'the caller broke the call off' } };
  } finally {
    signal?.removeEventListener('abort', breakOff);
  }
}
