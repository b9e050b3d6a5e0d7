import { describe, expect, test } from 'vitest';
import {
  findLegacyTask,
  makeCancelledReply,
  makeFailedReply,
  readLegacyTask,
  readModernTask,
  waitBeforePollMs,
  type ServerTask,
} from '#core/traces/tasks/server-task.ts';
import { isOurTextForUnusableResult, tooLargeResultText } from '#core/traces/spoilt-call.ts';

const said = { createdAt: '2026-07-28T10:00:00Z', lastUpdatedAt: '2026-07-28T10:00:00Z' };
const working = { taskId: 't1', status: 'working', ...said, ttlMs: null, pollIntervalMs: 500 };

describe('a result of tools/call', () => {
  test('with a task and no content is a task of revision 2025-11-25', () => {
    const task = { taskId: 't1', status: 'working', ...said, ttl: null, pollInterval: 500 };
    expect(findLegacyTask({ task })).toEqual({ id: 't1', state: { kind: 'working' }, message: '', pollMs: 500 });
  });

  test.each([
    ['has content too', { task: { taskId: 't1', status: 'working' }, content: [] }],
    ['has a task without an id', { task: { status: 'working' } }],
    ['has a task in a state that nobody defined', { task: { taskId: 't1', status: 'sleeping' } }],
    ['has no task', { content: [] }],
  ])('is no task if it %s', (_name, result) => {
    expect(findLegacyTask(result)).toBeUndefined();
  });
});

describe('a task of the extension', () => {
  test.each([
    [working, { kind: 'working' }],
    [{ ...working, status: 'cancelled' }, { kind: 'cancelled' }],
    [
      { ...working, status: 'completed', result: { content: [] } },
      { kind: 'replied', reply: { kind: 'result', result: { content: [] } } },
    ],
    [
      { ...working, status: 'failed', error: { code: -32603, message: 'broken' } },
      { kind: 'replied', reply: { kind: 'error', error: { code: -32603, message: 'broken' } } },
    ],
    [
      { ...working, status: 'input_required', inputRequests: { a: {} } },
      { kind: 'input-required', requests: { a: {} } },
    ],
  ])('is read with what its state demands: %#', (answer, state) => {
    expect(readModernTask(answer)?.state).toEqual(state);
  });

  test.each(['completed', 'failed', 'input_required'])('that is %s without what that demands is refused', (status) => {
    expect(readModernTask({ ...working, status })).toBeUndefined();
  });

  test('with a time between questions that is no number is asked as often as usual', () => {
    expect(readModernTask({ ...working, pollIntervalMs: 'soon' })?.pollMs).toBeNull();
  });
});

test('a legacy task that failed has ended, and its result is yet to be asked for', () => {
  const task = readLegacyTask({ taskId: 't1', status: 'failed', statusMessage: 'no luck' });
  expect(task).toEqual({ id: 't1', state: { kind: 'ended', failed: true }, message: 'no luck', pollMs: null });
});

describe('the reply of a failed task', () => {
  const task: ServerTask = { id: 't1', state: { kind: 'ended', failed: true }, message: 'quota', pollMs: null };

  test('is an error of the tool, even if the server did not mark it', () => {
    const reply = makeFailedReply({ kind: 'result', result: { content: [] } }, task);
    expect(reply).toEqual({ kind: 'result', result: { content: [], isError: true } });
  });

  test('says what the server said about the task', () => {
    const reply = makeFailedReply({ kind: 'error', error: { code: -32603, message: 'no result' } }, task);
    expect(reply).toEqual({ kind: 'error', error: { code: -32603, message: 'no result: quota' } });
  });

  test('that is too large keeps our own words', () => {
    const tooLarge = { kind: 'error', error: { code: -32603, message: tooLargeResultText(10) } } as const;
    expect(makeFailedReply(tooLarge, task)).toEqual(tooLarge);
  });
});

test.each(['', 'maintenance'])('a cancelled task is an error of the environment (said: "%s")', (message) => {
  const reply = makeCancelledReply({ id: 't1', state: { kind: 'cancelled' }, message, pollMs: null });
  expect(reply.kind === 'error' && isOurTextForUnusableResult(reply.error.message)).toBe(true);
});

describe('the wait before a task is asked for again', () => {
  test.each([
    ['what the server wants', 2_000, 30_000, 2_000],
    ['a second if it does not say', null, 30_000, 1_000],
    ['a quarter of a second at least', 1, 30_000, 250],
    ['so long that a last question has time', 60_000, 30_000, 29_500],
  ])('is %s', (_name, pollMs, leftMs, waitMs) => {
    expect(waitBeforePollMs(pollMs, leftMs)).toBe(waitMs);
  });

  test('ends when there is no time for a question', () => {
    expect(waitBeforePollMs(1_000, 749)).toBeNull();
  });
});
