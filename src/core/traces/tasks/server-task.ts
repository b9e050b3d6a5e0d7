import { z } from 'zod';
import type { ServerReply } from '#core/catalog/server-reply.ts';
import { cancelledTaskText, isOurTextForUnusableResult } from '../spoilt-call.ts';

/** The name under which revision 2026-07-28 offers tasks, as an extension (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

const status = z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']);
const wait = z.number().min(0).nullish().catch(null);

/** What both eras say about a task. Revision 2025-11-25 names the time between two questions `pollInterval`, the extension `pollIntervalMs`. */
const task = z.looseObject({
  taskId: z.string().min(1).max(2_000),
  status,
  statusMessage: z.string().nullish().catch(null),
  pollInterval: wait,
  pollIntervalMs: wait,
});

/** Revision 2025-11-25 puts a new task into a field of its own, where a result of tools/call has content. */
const legacyStart = z.looseObject({ task, content: z.undefined().optional() });

const result = z.record(z.string(), z.unknown());
const modernEnd = {
  completed: z.looseObject({ result }),
  failed: z.looseObject({
    error: z.looseObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
  asked: z.looseObject({ inputRequests: result }),
};

/** A task of a server: work that a call began, and that is asked for until it has ended. */
export interface ServerTask {
  readonly id: string;
  readonly state: TaskState;
  /** What the server says about it; empty if nothing. */
  readonly message: string;
  /** How long the server wants to be left alone between two questions, in milliseconds; null if it does not say. */
  readonly pollMs: number | null;
}

export type TaskState =
  | { readonly kind: 'working' }
  /** It waits for its user. Legacy servers ask when their client asks for the result (`requests` is null). */
  | { readonly kind: 'input-required'; readonly requests: Readonly<Record<string, unknown>> | null }
  /** It has ended; its reply has yet to be asked for. Revision 2025-11-25 calls tasks `failed` whose result is an error. */
  | { readonly kind: 'ended'; readonly failed: boolean }
  | { readonly kind: 'replied'; readonly reply: ServerReply }
  | { readonly kind: 'cancelled' };

/** Returns the task that a result of tools/call in revision 2025-11-25 or before stands for; undefined if it is a result. */
export function findLegacyTask(answer: Readonly<Record<string, unknown>>): ServerTask | undefined {
  const started = legacyStart.safeParse(answer);
  return started.success ? readLegacyTask(started.data.task) : undefined;
}

/** Reads what a server without sessions says about a task: a new one, or an answer to tasks/get. Undefined if it is not of the extension's form. */
export function readModernTask(answer: unknown): ServerTask | undefined {
  const parsed = task.safeParse(answer);
  if (!parsed.success) return undefined;
  const { taskId: id, statusMessage, pollIntervalMs } = parsed.data;
  const state = readModernState(parsed.data.status, answer);
  return state === undefined ? undefined : { id, state, message: statusMessage ?? '', pollMs: pollIntervalMs ?? null };
}

function readModernState(now: z.infer<typeof status>, answer: unknown): TaskState | undefined {
  switch (now) {
    case 'working':
    case 'cancelled':
      return { kind: now };
    case 'input_required': {
      const { data } = modernEnd.asked.safeParse(answer);
      return data === undefined ? undefined : { kind: 'input-required', requests: data.inputRequests };
    }
    case 'completed': {
      const { data } = modernEnd.completed.safeParse(answer);
      return data === undefined ? undefined : { kind: 'replied', reply: { kind: 'result', result: data.result } };
    }
    case 'failed': {
      const { data } = modernEnd.failed.safeParse(answer);
      if (data === undefined) return undefined;
      const { code, message, data: more } = data.error;
      const error = more === undefined ? { code, message } : { code, message, data: more };
      return { kind: 'replied', reply: { kind: 'error', error } };
    }
  }
}

/** Reads what a legacy server says about a task: a new one, or an answer to tasks/get. Undefined if it is not of the form of revision 2025-11-25. */
export function readLegacyTask(answer: unknown): ServerTask | undefined {
  const parsed = task.safeParse(answer);
  if (!parsed.success) return undefined;
  const { taskId: id, statusMessage, pollInterval } = parsed.data;
  return {
    id,
    state: readLegacyState(parsed.data.status),
    message: statusMessage ?? '',
    pollMs: pollInterval ?? null,
  };
}

function readLegacyState(now: z.infer<typeof status>): TaskState {
  switch (now) {
    case 'working':
    case 'cancelled':
      return { kind: now };
    case 'input_required':
      return { kind: 'input-required', requests: null };
    case 'completed':
    case 'failed':
      return { kind: 'ended', failed: now === 'failed' };
  }
}

const internalError = -32603;

/** Returns the reply that stands for a task that its server cancelled, which is never a success. */
export const makeCancelledReply = ({ message }: ServerTask): ServerReply => ({
  kind: 'error',
  error: { code: internalError, message: cancelledTaskText(message) },
});

/** Returns the reply of a task that its server calls failed: an error, also where the server forgot to mark it. */
export function makeFailedReply(reply: ServerReply, { message }: ServerTask): ServerReply {
  if (reply.kind === 'result') return { kind: 'result', result: { ...reply.result, isError: true } };
  const said = reply.error.message;
  if (message === '' || said.includes(message) || isOurTextForUnusableResult(said)) return reply;
  return { kind: 'error', error: { ...reply.error, message: `${said}: ${message}` } };
}

/** How long to wait before a task is asked for again, in milliseconds: at least `shortest`, and `usual` if its server does not say. */
const [shortestPollMs, usualPollMs] = [250, 1_000];

/** What is kept of the call's time for the last question, in milliseconds. */
const lastQuestionMs = 500;

/**
 * Returns how long to wait before a task is asked for again, in milliseconds: what its server wants, but not so long that no time is left
 * for a last question. Null if that has been asked.
 */
export function waitBeforePollMs(pollMs: number | null, leftMs: number): number | null {
  const spareMs = leftMs - lastQuestionMs;
  return spareMs < shortestPollMs ? null : Math.min(Math.max(pollMs ?? usualPollMs, shortestPollMs), spareMs);
}
