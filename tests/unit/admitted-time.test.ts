import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { makeOpenAiModels } from '#adapters/model/openai.ts';
import { Admission } from '#adapters/network/admission.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { runFunctionCallingAttempt } from '#agents/function-calling.ts';
import { eventsOf } from '../support/completion-events.ts';
import { unlimited } from '../support/unlimited.ts';

/** Twelve attempts of one invocation at servers and models that take their time, on a clock that nothing else moves. */

beforeEach(() => {
  vi.useFakeTimers();
  // The real one works beside the clock: time would pass while it does.
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(async () => new ArrayBuffer(32));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
const call = { id: 'c1', type: 'function', function: { name: 'slow__wait', arguments: '{}' } };
const toolMs = 4_000;
const writingMs = 8_000;

/** An answer whose headers come at once and whose text is written for a while. */
function written(message: Parameters<typeof eventsOf>[0]['message'], finish: string): Response {
  const text = new TextEncoder().encode(eventsOf({ message, finish, usage }, true).join(''));
  const start = (controller: ReadableStreamDefaultController): void =>
    void setTimeout(() => {
      controller.enqueue(text);
      controller.close();
    }, writingMs);
  return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
}

const waiting = { now: 0, most: 0 };
/** Waits as a server does before its headers; gives up with its caller. */
async function work(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  waiting.now += 1;
  waiting.most = Math.max(waiting.most, waiting.now);
  try {
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  } finally {
    waiting.now -= 1;
  }
}

const rpc = (id: number, result: unknown): Response => Response.json({ jsonrpc: '2.0', id, result });
const world: FetchLike = async (url, init) => {
  const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
  if (String(url).startsWith('https://models.')) {
    await work(10, init?.signal);
    const isAnswered = body.messages.some(({ role }: { role: string }) => role === 'tool');
    return isAnswered
      ? written({ content: 'done' }, 'stop')
      : written({ content: null, tool_calls: [call] }, 'tool_calls');
  }
  if (body.method === 'initialize') {
    await work(toolMs, init?.signal);
    const serverInfo = { name: 's', version: '1' };
    return rpc(body.id, { protocolVersion: body.params.protocolVersion, capabilities: { tools: {} }, serverInfo });
  }
  if (body.method !== 'tools/call') return new Response(null, { status: 202 });
  await work(toolMs, init?.signal);
  return rpc(body.id, { content: [{ type: 'text', text: 'waited' }] });
};

const tools = [
  { name: 'slow/wait', server: 'slow', domain: 'd', category: 'c', inputSchema: { type: 'object' } },
] as const;

async function attempts(count: number, timeMs = 120_000) {
  const admission = new Admission();
  const fetch = makeGuardedFetch({ admission, allowLocal: false, maxBytes: 100_000, fetch: world });
  const config = { baseUrl: 'https://models.test.com', apiKey: 'k', model: 'm', maxCompletionTokens: 10 };
  const model = makeOpenAiModels(
    { agent: { ...config, timeoutMs: 9_000 } },
    { admission, fetch, answerForm: prompts.answerForm, repair: prompts.repair },
  );
  const one = async () => {
    const connections = makeLazyConnections({
      admission,
      servers: [{ name: 'slow', url: 'https://slow.com/mcp', headers: {}, ...unlimited }],
      tools,
      allowLocal: false,
      connectTimeoutMs: 5_000,
      fetch: world,
    });
    const limits = { turns: 4, tokens: 10_000, timeMs, callTimeoutMs: 5_000, callsPerTurn: 4, parallelCalls: false };
    const prompt = { id: 'agent@v1', messages: [{ role: 'user' as const, content: 'go' }] };
    const result = await runFunctionCallingAttempt({
      tools,
      model,
      connections,
      limits,
      seed: 1,
      now: Date.now,
      prompt,
    });
    await connections.close();
    return result;
  };
  const all = Promise.all(Array.from({ length: count }, one));
  await vi.runAllTimersAsync();
  return all;
}

describe('thirty attempts at once', () => {
  test('never time out, and measure the same latency as a single attempt', async () => {
    waiting.most = 0;
    const [alone] = await attempts(1);
    const begun = Date.now();
    const crowd = await attempts(30);
    expect(waiting.most).toBe(6);
    // Who writes has no place any more, so only what waits for headers is queued.
    expect(Date.now() - begun).toBeLessThan((30 / 6) * (2 * toolMs + 100) + 2 * writingMs + 5_000);
    expect(alone?.trace).toMatchObject({ end: 'answered', finalText: 'done' });
    for (const { trace, calls, fault } of crowd) {
      expect(fault).toBeNull();
      expect(trace.steps.map(({ latencyMs, outcome }) => [outcome, latencyMs])).toEqual([['success', 2 * toolMs]]);
      expect(calls.map(({ latencyMs }) => latencyMs)).toEqual([writingMs + 10, writingMs + 10]);
      expect(trace.durationMs).toBe(alone?.trace.durationMs);
    }
  });

  test('have all the time that their limits allow', async () => {
    const crowd = await attempts(30, 2 * toolMs + 2 * writingMs + 100);
    expect(crowd.map(({ trace }) => trace.end)).toEqual(crowd.map(() => 'answered'));
  });
});
