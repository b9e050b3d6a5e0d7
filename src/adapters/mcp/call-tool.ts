import type { Client } from '@modelcontextprotocol/client';
import type { ServerReply } from '#core/server-reply.ts';
import { CallRequests, type CallRequestOptions } from './call-requests.ts';
import { awaitTask } from './await-task.ts';
import type { McpProblem } from './problems.ts';

/** `queuedMs`: how long the call waited for its place, within its server's limits, and because the server was busy. */
type ToolCalled =
  | { readonly ok: true; readonly reply: ServerReply; readonly queuedMs: number }
  | {
      readonly ok: false;
      readonly problem: Extract<McpProblem, { readonly kind: 'fault' }>;
      readonly queuedMs: number;
    };

type ToolCallParams = {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly _meta: { readonly traceparent: string };
};

type ToolCallOptions = CallRequestOptions & {
  /** More headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the server takes calls of the tool only as tasks. */
  readonly needsTask?: boolean | undefined;
};

/** How long a task is to be kept after the call's time, in milliseconds: reading its result takes time too. */
const keptAfterMs = 60_000;

/**
 * Makes one tools/call; its time runs only while it is not waiting for a turn. If a busy server (429 or 503) says when to try again, the
 * request is repeated then, within `longestAskedWaitMs`. A task is awaited within the same time. A reply of more than
 * `maxBytes`, or nested too deep, becomes a JSON-RPC error: the tool failed, but its server works.
 */
export async function callTool(client: Client, params: ToolCallParams, options: ToolCallOptions): Promise<ToolCalled> {
  const { timeoutMs, headers, onProgress, needsTask = false } = options;
  const requests = new CallRequests(client, options);
  const task = needsTask ? { task: { ttl: timeoutMs + keptAfterMs } } : {};
  const request = { method: 'tools/call', params: { ...params, ...task } };
  const answered = await requests.send(request, { headers, onProgress });
  const called = answered.ok && answered.kind === 'task' ? await awaitTask(answered.task, requests) : answered;
  return { ...called, queuedMs: requests.queuedMs };
}
