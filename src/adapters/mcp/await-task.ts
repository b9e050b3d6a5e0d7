import type { ServerReply } from '#core/catalog/server-reply.ts';
import {
  makeCancelledReply,
  makeFailedReply,
  readLegacyTask,
  readModernTask,
  waitBeforePollMs,
  type ServerTask,
} from '#core/traces/tasks/server-task.ts';
import { isOurTextForUnusableResult } from '#core/traces/spoilt-call.ts';
import { brokenOffProblem, strangeTask, type CallAnswer, type CallFault, type CallRequests } from './call-requests.ts';

type Awaited = { readonly ok: true; readonly reply: ServerReply } | { readonly ok: false; readonly problem: CallFault };

/** How long the cancellation of a task may take, in milliseconds. */
const cancelMs = 2_000;

/**
 * Asks for a task until it has ended, as often as its server wants, within the call's time, and returns its reply. A task that
 * has not ended by then, or that nobody waits for any more, is cancelled, which its server may ignore.
 */
export async function awaitTask(started: ServerTask, requests: CallRequests): Promise<Awaited> {
  const awaited = await pollTaskUntilEnd(started, requests);
  // What a server answers to a cancellation changes nothing.
  if (!awaited.ok)
    await requests.sendIgnoringAnswer({ method: 'tasks/cancel', params: { taskId: started.id } }, cancelMs);
  return awaited;
}

async function pollTaskUntilEnd(started: ServerTask, requests: CallRequests): Promise<Awaited> {
  const answered = new Set<string>();
  let task = started;
  for (;;) {
    const { state } = task;
    if (state.kind === 'replied') return { ok: true, reply: state.reply };
    if (state.kind === 'cancelled') return { ok: true, reply: makeCancelledReply(task) };
    if (state.kind === 'ended') return askForResult(task, requests, state.failed);
    if (state.kind === 'input-required') {
      // A legacy server asks while its client waits for the result.
      if (state.requests === null) return askForResult(task, requests, false);
      const refusal = await answerOpenRequests(task.id, state.requests, answered, requests);
      if (refusal !== null) return { ok: false, problem: refusal };
    }
    const waitMs = waitBeforePollMs(task.pollMs, requests.leftMs);
    if (waitMs === null) return { ok: false, problem: unended };
    await requests.waitWithinCallTime(waitMs);
    if (requests.isBrokenOff) return { ok: false, problem: brokenOffProblem };
    const asked = await askForState(task, requests);
    if (!asked.ok || 'reply' in asked) return asked;
    task = asked.task;
  }
}

const unended: CallFault = { kind: 'fault', code: 'timeout', detail: 'the task did not end in time' };

/** Returns the state of a task, or the reply that says that it is too large to be read. */
async function askForState(
  { id: taskId }: ServerTask,
  requests: CallRequests,
): Promise<Awaited | { readonly ok: true; readonly task: ServerTask }> {
  const answer = await requests.send({ method: 'tasks/get', params: { taskId } });
  if (!answer.ok) return answer;
  if (answer.kind === 'reply' && answer.reply.kind === 'error')
    return unusableReplyOrLostTask(answer.reply, 'tasks/get');
  const task = findTaskInAnswer(answer, requests.isModern);
  return task === undefined || task.id !== taskId ? { ok: false, problem: strangeTask } : { ok: true, task };
}

/** Examples of the extension mark the answer to tasks/get like a new task. */
function findTaskInAnswer(
  answer: Extract<CallAnswer, { readonly ok: true }>,
  isModern: boolean,
): ServerTask | undefined {
  if (answer.kind === 'task') return answer.task;
  if (answer.kind === 'asks' || answer.reply.kind === 'error') return undefined;
  return isModern ? readModernTask(answer.reply.result) : readLegacyTask(answer.reply.result);
}

type ErrorReply = Extract<ServerReply, { readonly kind: 'error' }>;

/** A server that refuses to say how a task stands has lost it, whatever the arguments of the call were. */
const unusableReplyOrLostTask = (reply: ErrorReply, method: string): Awaited =>
  isOurTextForUnusableResult(reply.error.message)
    ? { ok: true, reply }
    : { ok: false, problem: makeLostTaskFault(method, reply.error.code) };

const makeLostTaskFault = (method: string, code: number): CallFault => ({
  kind: 'fault',
  code: 'connection-lost',
  detail: `the server lost the task: it refused ${method} (${code})`,
});

/** Asks a legacy server for the result of a task. If the task has not ended, the answer comes when it has. */
async function askForResult(task: ServerTask, requests: CallRequests, failed: boolean): Promise<Awaited> {
  const answer = await requests.send({ method: 'tasks/result', params: { taskId: task.id } });
  if (!answer.ok) return answer;
  if (answer.kind !== 'reply') return { ok: false, problem: strangeTask };
  return { ok: true, reply: failed ? makeFailedReply(answer.reply, task) : answer.reply };
}

/** Answers what a task asks its user, each question once. Returns the fault that kept it from being answered. */
async function answerOpenRequests(
  taskId: string,
  asked: Readonly<Record<string, unknown>>,
  answered: Set<string>,
  requests: CallRequests,
): Promise<CallFault | null> {
  const open = Object.entries(asked).filter(([key]) => !answered.has(key));
  if (open.length === 0) return null;
  for (const [key] of open) answered.add(key);
  const responses = await requests.askUser(Object.fromEntries(open));
  if (!responses.ok) return responses.problem;
  const params = { taskId, inputResponses: responses.value };
  const answer = await requests.send({ method: 'tasks/update', params });
  if (!answer.ok) return answer.problem;
  const refused = answer.kind === 'reply' && answer.reply.kind === 'error';
  return refused ? makeLostTaskFault('tasks/update', answer.reply.error.code) : null;
}
