import type { Client } from '@modelcontextprotocol/client';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import { awaitTask } from './await-task.ts';
import {
  CallRequests,
  makeUnansweredFault,
  type CallAnswer,
  type CallFault,
  type CallRequestOptions,
} from './call-requests.ts';
import type { QuestionDesk } from './call-user.ts';

/** `queuedMs`: how long the call waited for its place, within its server's limits, because the server was busy, and for its user. */
type ToolCalled =
  | { readonly ok: true; readonly reply: ServerReply; readonly queuedMs: number }
  | { readonly ok: false; readonly problem: CallFault; readonly queuedMs: number };

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
  /** Where a legacy session's questions arrive; without it, nothing can be asked there. */
  readonly desk?: QuestionDesk | undefined;
};

/** How long a task is to be kept after the call's time, in milliseconds: reading its result takes time too. */
const keptAfterMs = 60_000;

/** Rounds of questions after which a call is given up. */
const mostRounds = 10;

/** How long to wait before a call is repeated whose server wants no answer, in milliseconds. */
const repeatMs = 250;

/**
 * Makes one tools/call; its time runs only while it is not waiting for a turn or for its user. If a busy server (429 or 503) says when to
 * try again, the request is repeated then, within `longestAskedWaitMs`. A server that asks its user before it answers gets the answers with
 * the call repeated (2026-07-28), or while the call waits (before). A task is awaited within the same time. A reply of more than
 * `maxBytes`, or nested too deep, becomes a JSON-RPC error: the tool failed, but its server works.
 */
export async function callTool(client: Client, params: ToolCallParams, options: ToolCallOptions): Promise<ToolCalled> {
  const { desk, user } = options;
  const requests = new CallRequests(client, options);
  if (desk === undefined) return { ...(await callAndAwait(requests, params, options)), queuedMs: requests.queuedMs };
  const asked = Date.now();
  let waitedMs = 0;
  const { made, unanswered } = await desk.runCallWithUserInTurn(user, () => {
    waitedMs = Date.now() - asked;
    return callAndAwait(requests, params, options);
  });
  const called = unanswered === null ? made : ({ ok: false, problem: makeUnansweredFault(unanswered) } as const);
  return { ...called, queuedMs: requests.queuedMs + waitedMs };
}

type Called = { readonly ok: true; readonly reply: ServerReply } | { readonly ok: false; readonly problem: CallFault };

async function callAndAwait(requests: CallRequests, params: ToolCallParams, options: ToolCallOptions): Promise<Called> {
  const { timeoutMs, needsTask = false } = options;
  const task = needsTask ? { task: { ttl: timeoutMs + keptAfterMs } } : {};
  const answer = await callUntilAnswered(requests, { ...params, ...task }, options);
  if (!answer.ok) return answer;
  if (answer.kind === 'task') return awaitTask(answer.task, requests);
  return answer.kind === 'reply' ? answer : { ok: false, problem: asksForever };
}

/** Makes a call, and repeats it with the answers to what its server asks its user. */
async function callUntilAnswered(
  requests: CallRequests,
  params: ToolCallParams,
  { headers, onProgress }: ToolCallOptions,
): Promise<CallAnswer> {
  let answer = await requests.send({ method: 'tools/call', params }, { headers, onProgress });
  for (let round = 1; round <= mostRounds && answer.ok && answer.kind === 'asks'; round += 1) {
    const { inputRequests, requestState } = answer.asks;
    const responses = await requests.askUser(inputRequests);
    if (!responses.ok) return responses;
    const isAnswered = Object.keys(responses.value).length > 0;
    if (!isAnswered) await requests.waitWithinCallTime(repeatMs);
    const repeated = {
      ...params,
      ...(isAnswered ? { inputResponses: responses.value } : {}),
      ...(requestState === undefined ? {} : { requestState }),
    };
    answer = await requests.send({ method: 'tools/call', params: repeated }, { headers, onProgress });
  }
  return answer;
}

const asksForever: CallFault = {
  kind: 'fault',
  code: 'malformed-protocol',
  detail: `the server asked its user ${mostRounds} times and gave no result`,
};
