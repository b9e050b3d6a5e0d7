import { AttemptLog } from '#agents/attempt-log.ts';
import type { ChatModel } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { expect, test } from 'vitest';

const callOf = (promptTokens: number, completionTokens: number): ModelCall => ({
  role: 'agent',
  model: 'm',
  prompt: 'none',
  promptTokens,
  completionTokens,
  costUsd: 0,
  latencyMs: 0,
  retries: 0,
});

/** A model whose answers take these tokens, one after the other. */
function modelTaking(...taken: readonly (readonly [number, number])[]): ChatModel {
  const left = [...taken];
  return {
    completeTurn: async () => {
      const [prompt, completion] = left.shift() ?? [0, 0];
      return { ok: true, finish: 'stop', content: '', toolCalls: [], call: callOf(prompt, completion) };
    },
  };
}

const question = { prompt: 'none', messages: [], functions: [], parallelCalls: false, seed: 1 };
const makeLog = (tokens: number) => new AttemptLog({ tokens, timeMs: 1_000 }, () => 0);

test('what an earlier turn sent does not count against the limit of tokens again, but stays in the usage', async () => {
  const log = makeLog(2_000);
  const model = modelTaking([1_000, 50], [1_200, 50], [1_500, 100]);
  const left: number[] = [];
  for (let turn = 1; turn <= 3; turn += 1) {
    await log.askModelForTurn(model, question);
    left.push(log.leftTokens);
  }
  expect(left).toEqual([950, 700, 300]);
  expect(log.makeResult('answered').trace).toMatchObject({ promptTokens: 3_700, completionTokens: 200 });
});

test('a turn whose prompt is shorter than an earlier one adds its completion only', async () => {
  const log = makeLog(2_000);
  const model = modelTaking([1_000, 10], [400, 10], [1_100, 10]);
  for (let turn = 1; turn <= 3; turn += 1) await log.askModelForTurn(model, question);
  expect(log.leftTokens).toBe(2_000 - 1_100 - 30);
});

test('what is asked besides turns counts whole', async () => {
  const log = makeLog(2_000);
  const model = modelTaking([500, 10], [500, 10], [600, 10]);
  await log.askModelForTurn(model, question);
  await log.askModelWithoutCountingTurn(model, question);
  await log.askModelForTurn(model, question);
  log.addModelCall(callOf(7, 0));
  expect(log.leftTokens).toBe(2_000 - 600 - 500 - 30 - 7);
});
