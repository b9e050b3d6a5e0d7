import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OfferedAnswer } from '#adapters/mcp/offered-server.ts';
import { unboundTools } from '#api/offered-tools/index.ts';
import type { OwnApi } from '#api/offered-tools/own-api.ts';
import type { RunStatus } from '#core/exploration/runs.ts';
import { evaluation } from '../../client/records.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An API with one run, whose status is the next of these at each request, and then the last one. */
function apiWith(...statuses: readonly RunStatus[]): OwnApi & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    ask(path, answer) {
      asked.push(path);
      const status = statuses[asked.length - 1] ?? statuses.at(-1) ?? 'running';
      return Promise.resolve(answer.parse(evaluation({ id: 'evl_1', status })));
    },
  };
}

function wait(api: OwnApi, seconds: number, signal = new AbortController().signal) {
  const progress: number[] = [];
  const tool = unboundTools.find(({ name }) => name === 'wait_for_run');
  if (tool === undefined) throw new Error('there is no such tool');
  const onProgress = (each: { readonly progress: number }): void => void progress.push(each.progress);
  const answer = tool.call({ run: 'evl_1', seconds }, { api, requestId: 'req_1', signal, onProgress });
  return { answer, progress };
}

const statusOf = (answer: OfferedAnswer): unknown => (answer.ok ? answer.data['run'] : answer.problem);

describe('waiting for a run', () => {
  test('ends when the run has ended or is paused', async () => {
    for (const status of ['completed', 'paused'] as const) {
      const api = apiWith('running', 'running', status);
      const { answer, progress } = wait(api, 50);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(statusOf(await answer)).toMatchObject({ status });
      expect(api.asked).toHaveLength(3);
      expect(progress).toEqual([0, 2]);
    }
  });

  test('ends when its time is over, and reports a progress that grows', async () => {
    const api = apiWith('running');
    const { answer, progress } = wait(api, 5);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(statusOf(await answer)).toMatchObject({ status: 'running' });
    expect(progress).toEqual([0, 2, 4]);
  });

  test('stops asking when the client has cancelled the call', async () => {
    const api = apiWith('running');
    const client = new AbortController();
    const { answer } = wait(api, 50, client.signal);
    await vi.advanceTimersByTimeAsync(3_000);
    client.abort();
    expect((await answer).ok).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(api.asked).toHaveLength(2);
  });
});
