import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { EndpointRests } from '#adapters/model/governed-requests.ts';
import { makeOpenAiModels } from '#adapters/model/openai.ts';
import { Admission } from '#adapters/network/admission.ts';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { newGovernor, type GovernorState } from '#core/models/governor/governor.ts';
import { WaitingCalls } from '#durable-objects/endpoint-governor/waiting-calls.ts';
import { eventsOf } from '../../support/completion-events.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
const answer = eventsOf({ message: { content: '{"n": 3}' }, finish: 'stop', usage }, true).join('');
const refusal = (headers: Record<string, string>, body: unknown = {}) =>
  new Response(JSON.stringify(body), { status: 429, headers });
const answered = (headers: Record<string, string> = {}) =>
  new Response(answer, { headers: { 'content-type': 'text/event-stream', ...headers } });

/** Counts what an endpoint was asked, and the requests under way. */
interface Asked {
  refused: number;
  answered: number;
  underWay: number;
  mostUnderWay: number;
}

/** An endpoint that takes so many requests in a minute of the clock, a second each, and refuses the others at once. */
function endpointWithQuota(perMinute: number, told: 'retry-after' | 'headers' | 'words' | 'nothing') {
  const asked: Asked = { refused: 0, answered: 0, underWay: 0, mostUnderWay: 0 };
  let [minute, used] = [0, 0];
  const fetch: FetchLike = async () => {
    const now = Date.now();
    if (Math.floor(now / 60_000) !== minute) [minute, used] = [Math.floor(now / 60_000), 0];
    const leftMs = 60_000 - (now % 60_000);
    if (used >= perMinute) {
      asked.refused += 1;
      if (told === 'nothing') return refusal({});
      if (told === 'words') return refusal({}, [{ error: { details: [{ retryDelay: `${leftMs / 1_000}s` }] } }]);
      return refusal({ 'retry-after': String(Math.ceil(leftMs / 1_000)) });
    }
    used += 1;
    asked.underWay += 1;
    asked.mostUnderWay = Math.max(asked.mostUnderWay, asked.underWay);
    const remaining = perMinute - used;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    asked.underWay -= 1;
    asked.answered += 1;
    if (told !== 'headers') return answered();
    return answered({
      'x-ratelimit-limit-requests': String(perMinute),
      'x-ratelimit-remaining-requests': String(remaining),
      'x-ratelimit-reset-requests': `${leftMs}ms`,
    });
  };
  return { fetch, asked };
}

/** Models of an invocation of its own, whose endpoint has this governor. */
function governedModels(fetch: FetchLike, governor: WaitingCalls) {
  const config = { baseUrl: 'https://models.test.com', apiKey: 'k', model: 'm', timeoutMs: 9_000 };
  const writer = { ...config, maxCompletionTokens: 1_000, governor: 'g' };
  const { answerForm, repair } = prompts;
  const options = { admission: new Admission(), fetch, answerForm, repair, governors: () => governor };
  return makeOpenAiModels({ writer, agent: writer }, options);
}

const question = {
  role: 'writer',
  prompt: { id: 'p@v1', messages: [{ role: 'user', content: 'Give me a number' }] },
  form: 'number',
  schema: z.object({ n: z.int() }),
  seed: 1,
} as const;

/** Lanes of three invocations ask so many questions together; one that has to rest is asked again afterwards, as a step is. */
async function askAll(fetch: FetchLike, questions: number, lanes: number) {
  let state: GovernorState = newGovernor;
  const governor = new WaitingCalls(state, (changed) => (state = changed));
  const models = [1, 2, 3].map(() => governedModels(fetch, governor));
  let left = questions;
  const answers: boolean[] = [];
  const lane = async (n: number): Promise<void> => {
    const model = models[n % 3] ?? governedModels(fetch, governor);
    while (left > 0) {
      left -= 1;
      for (;;) {
        try {
          answers.push((await model.askForJson(question)).ok);
          break;
        } catch (error) {
          if (!(error instanceof EndpointRests)) throw error;
          await new Promise((resolve) => setTimeout(resolve, error.untilMs - Date.now()));
        }
      }
    }
  };
  const begun = Date.now();
  const all = Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)));
  await vi.runAllTimersAsync();
  await all;
  return { answers, minutes: (Date.now() - begun) / 60_000, state };
}

describe('more questions than the endpoint takes in a minute', () => {
  test.each(['retry-after', 'words', 'headers', 'nothing'] as const)(
    'are all answered, with few refusals, if it tells its limit by %s',
    async (told) => {
      vi.setSystemTime(new Date('2026-11-23T09:00:20Z'));
      const { fetch, asked } = endpointWithQuota(20, told);
      const { answers, minutes, state } = await askAll(fetch, 100, 12);
      expect(answers).toEqual(Array.from({ length: 100 }, () => true));
      expect(asked.answered).toBe(100);
      // Five minutes' worth, in the minutes that had begun.
      expect(minutes).toBeLessThan(5);
      expect(asked.refused).toBeLessThanOrEqual(told === 'nothing' ? 30 : 8);
      expect(state.leases).toEqual({});
    },
  );
});

test("what a busy endpoint refuses, and waiting for it, takes none of an agent's time", async () => {
  const replies = [refusal({ 'retry-after': '5' }), refusal({ 'retry-after': '10' }), answered()];
  const governor = new WaitingCalls(newGovernor, () => undefined);
  const models = governedModels(async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return replies.shift() ?? answered();
  }, governor);
  const messages = [{ role: 'user', content: 'go' }] as const;
  const turn = { role: 'agent', prompt: 'p@v1', messages, functions: [], parallelCalls: false, seed: 1 } as const;
  const asked = models.completeTurn({ ...turn, timeoutMs: 1_000 });
  await vi.runAllTimersAsync();
  expect(await asked).toMatchObject({ ok: true, queuedMs: 15_600, call: { latencyMs: 300, retries: 2 } });
});

test('a conversation that has begun waits longer in place than its first question', async () => {
  const governor = new WaitingCalls(newGovernor, () => undefined);
  const replies = [refusal({ 'retry-after': '240' })];
  const models = governedModels(async () => replies.shift() ?? answered(), governor);
  const asked = {
    role: 'agent',
    prompt: 'p@v1',
    functions: [],
    parallelCalls: false,
    seed: 1,
    timeoutMs: 9_000,
  } as const;
  const user = { role: 'user', content: 'go' } as const;
  const first = models.completeTurn({ ...asked, messages: [user] }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await first).toBeInstanceOf(EndpointRests);
  const later = models.completeTurn({ ...asked, messages: [user, { role: 'assistant', content: '', toolCalls: [] }] });
  await vi.runAllTimersAsync();
  expect(await later).toMatchObject({ ok: true });
});
