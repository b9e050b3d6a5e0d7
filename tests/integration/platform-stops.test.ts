import { describe, expect, test } from 'vitest';
import { rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import { z } from 'zod';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import { fetchWhetherModelIsListed } from '#adapters/model/model-offer.ts';
import { makeOpenAiModels } from '#adapters/model/openai.ts';
import { Admission } from '#adapters/network/admission.ts';
import { PlatformError } from '#adapters/network/platform-errors.ts';
import { prompts } from '#adapters/prompts/index.ts';
import { makeRedisRanking } from '#adapters/ranking/redis.ts';
import { makeUpstashStore } from '#adapters/vector/upstash.ts';
import { runFunctionCallingAttempt } from '#agents/function-calling.ts';
import { type TestMcpServer } from '../support/mcp-server.ts';
import { running, serverWith } from '../support/running.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

/** What the platform stops is thrown through every layer: it is no fault of the server, model or store that was asked. */

const stopped = () => Promise.reject(new Error('Too many subrequests by single Worker invocation.'));

const message = z.object({ method: z.string() });
const rpcOf = (init: RequestInit | undefined): string | undefined =>
  typeof init?.body === 'string' ? message.safeParse(JSON.parse(init.body)).data?.method : undefined;

/** A network that the platform stops from the request on for which `when` holds. */
const stoppedFrom =
  (when: (method: string, rpc: string | undefined) => boolean): FetchLike =>
  (url, init) =>
    when(init?.method ?? 'GET', rpcOf(init)) ? stopped() : fetch(url, init);

function connect(server: TestMcpServer, network: FetchLike) {
  const servers = [{ name: 'test', url: server.url, headers: {}, ...unlimited }];
  const connections = makeLazyConnections({
    admission: new Admission(),
    servers,
    tools: toolsNamed('test/echo'),
    allowLocal: true,
    connectTimeoutMs: 2_000,
    fetch: network,
  });
  running.push(connections);
  return connections;
}

describe('if the platform stops a request to an MCP server, the server', () => {
  test.each(['initialize', 'notifications/initialized', 'tools/call'])('is not blamed at %s', async (method) => {
    const connections = connect(
      await serverWith(),
      stoppedFrom((_, rpc) => rpc === method),
    );
    const call = connections.call('test/echo', { text: 'x' }, 2_000);
    await expect(call).rejects.toBeInstanceOf(PlatformError);
    // A session that did not open is tried again, and is stopped again.
    await expect(connections.call('test/echo', { text: 'x' }, 2_000)).rejects.toBeInstanceOf(PlatformError);
  });

  test('is not blamed for a stream that is stopped before the answer', async () => {
    const server = await serverWith();
    const network: FetchLike = async (url, init) => {
      const response = await fetch(url, init);
      if (rpcOf(init) !== 'tools/call') return response;
      const pull = (controller: ReadableStreamDefaultController): void =>
        controller.error(new Error('Aborting engine: Grace period complete'));
      return new Response(new ReadableStream({ pull }), { headers: response.headers });
    };
    await expect(connect(server, network).call('test/echo', { text: 'x' }, 2_000)).rejects.toThrow('Aborting engine');
  });

  test('is not blamed for a stream that cannot be resumed', async () => {
    const server = await serverWith();
    const network: FetchLike = async (url, init) => {
      if (init?.method === 'GET') return stopped();
      const response = await fetch(url, init);
      if (rpcOf(init) !== 'tools/call') return response;
      return new Response('id: 1\nretry: 10\ndata:\n\n', { headers: response.headers });
    };
    await expect(connect(server, network).call('test/echo', { text: 'x' }, 2_000)).rejects.toBeInstanceOf(
      PlatformError,
    );
  });

  test('has its list stopped at any page', async () => {
    const tools = Array.from({ length: 5 }, (_, i) => ({ name: `tool-${i}` }));
    const server = await serverWith({ tools, pageSize: 2 });
    for (const from of [1, 2]) {
      let pages = 0;
      const network = stoppedFrom((_, rpc) => rpc === 'tools/list' && (pages += 1) >= from);
      const options = { admission: new Admission(), url: server.url, headers: {}, allowLocal: true, fetch: network };
      await expect(discoverTools(options)).rejects.toBeInstanceOf(PlatformError);
    }
  });

  test('is not closed if the platform stops that too', async () => {
    const connections = connect(
      await serverWith(),
      stoppedFrom((method) => method === 'DELETE'),
    );
    expect(await connections.call('test/echo', { text: 'x' }, 2_000)).toMatchObject({ kind: 'success', text: 'x' });
    await connections.close();
  });
});

describe('if the platform stops a request to a model, the model', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  const call = { id: 'c1', function: { name: 'test__echo', arguments: '{"text":"x"}' } };
  const asksForCall = async () =>
    Response.json({ choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }], usage });
  const cutOff = async () => {
    const pull = (controller: ReadableStreamDefaultController): void =>
      controller.error(new Error('Durable Object reset because its code was updated.'));
    return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/event-stream' } });
  };
  function modelsOver(network: FetchLike) {
    const admission = new Admission();
    const fetch = makeGuardedFetch({ admission, allowLocal: false, maxBytes: 1_000, fetch: network });
    const config = { baseUrl: 'https://m.com/v1', apiKey: '', model: 'm', timeoutMs: 1_000, maxCompletionTokens: 9 };
    const never = (): never => {
      throw new Error('nothing is repeated');
    };
    const options = { admission, fetch, answerForm: prompts.answerForm, repair: prompts.repair, sleep: never };
    return makeOpenAiModels({ agent: config, embedder: config }, options);
  }
  const turn = {
    role: 'agent' as const,
    prompt: 'p@v1',
    messages: [],
    functions: [],
    parallelCalls: false,
    seed: 1,
    timeoutMs: 1_000,
  };

  test.each([
    ['before its headers', stopped],
    ['while it writes', cutOff],
  ])('is not blamed %s', async (_when, network) => {
    const models = modelsOver(network);
    await expect(models.completeTurn(turn)).rejects.toBeInstanceOf(PlatformError);
    await expect(models.embed(['x'])).rejects.toBeInstanceOf(PlatformError);
  });

  test('is not reported as unreachable when its list is requested', async () => {
    const fetch = makeGuardedFetch({ admission: new Admission(), allowLocal: false, maxBytes: 1_000, fetch: stopped });
    const offer = fetchWhetherModelIsListed({ baseUrl: 'https://m.com/v1', apiKey: '', model: 'm' }, fetch);
    await expect(offer).rejects.toBeInstanceOf(PlatformError);
  });

  test.each([
    ['a turn', stopped, () => false],
    ['a call', asksForCall, (rpc: string | undefined) => rpc === 'tools/call'],
  ])('causes no fault in an attempt: the platform stops %s', async (_what, model, when) => {
    const connections = connect(
      await serverWith(),
      stoppedFrom((_, rpc) => when(rpc)),
    );
    const tools = [{ name: 'test/echo', server: 'test', domain: 'd', category: 'c', inputSchema: { type: 'object' } }];
    const limits = {
      turns: 4,
      tokens: 1_000,
      timeMs: 5_000,
      callTimeoutMs: 1_000,
      callsPerTurn: 4,
      parallelCalls: false,
    };
    const prompt = { id: 'agent@v1', messages: [] };
    const about = { tools, model: modelsOver(model), connections, limits, seed: 1, now: Date.now, prompt };
    await expect(runFunctionCallingAttempt(about)).rejects.toBeInstanceOf(PlatformError);
  });
});

describe('if the platform stops a request to an external store, the store', () => {
  const url = 'https://store.com';
  const options = () => {
    const admission = new Admission();
    return {
      admission,
      url,
      token: 't',
      fetch: makeGuardedFetch({ admission, allowLocal: false, maxBytes: 9, fetch: stopped }),
    };
  };

  test('is not blamed for vectors', async () => {
    await expect(makeUpstashStore({ id: 'k', ...options() }).nearest('main', [1, 2], 3)).rejects.toBeInstanceOf(
      PlatformError,
    );
  });

  test('is not blamed for rankings', async () => {
    await expect(
      makeRedisRanking({ id: 'lb_1', metrics: rankingOrdersOfProtocol('sgvef').metrics, ...options() }).seq(),
    ).rejects.toBeInstanceOf(PlatformError);
  });
});
