import { createHash } from 'node:crypto';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { answerMcpRequest, type GatewayAttempt } from '#adapters/mcp/gateway-server.ts';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import { Admission } from '#adapters/network/admission.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { startEraServer, type Era } from '../support/era-server.ts';
import { startTestMcpServer } from '../support/mcp-server.ts';
import { unlimited } from '../support/unlimited.ts';

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

const eras: readonly Era[] = ['legacy', 'modern', 'dual'];

/** A server of an era with the tool `forecast`. */
async function startServer(era: Era) {
  const server =
    era === 'legacy'
      ? await startTestMcpServer({
          tools: [
            {
              name: 'forecast',
              inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
              handle: async ({ city }) => ({ content: [{ type: 'text', text: `${String(city)}: sunny` }] }),
            },
          ],
        })
      : await startEraServer(era);
  running.push(server);
  return server;
}

const discover = (url: string) =>
  discoverTools({ admission: new Admission(), url, headers: {}, allowLocal: true, timeoutMs: 5_000 });

async function connectTo(era: Era) {
  const server = await startServer(era);
  const found = await discover(server.url);
  if (!found.ok) throw new Error(found.problem.detail);
  const { protocolVersion } = found.value;
  const tools = found.value.tools.map(({ name, description, inputSchema, outputSchema }): Tool => ({
    name: `test/${name}`,
    server: 'test',
    domain: 'tests',
    category: 'test',
    inputSchema,
    ...(description === undefined ? {} : { description }),
    ...(outputSchema === undefined ? {} : { outputSchema }),
  }));
  const connections = makeLazyConnections({
    admission: new Admission(),
    servers: [{ name: 'test', url: server.url, headers: {}, ...unlimited, protocolVersion }],
    tools,
    allowLocal: true,
    attempt: 'evl_1/unit/agent.01.source',
  });
  running.push(connections);
  return { server, connections, tools, found: found.value };
}

const attemptDigest = createHash('sha256').update('evl_1/unit/agent.01.source').digest('hex').slice(0, 32);
const ofAttempt = new RegExp(`^00-${attemptDigest}-[0-9a-f]{16}-01$`);

/** A client of an era whose requests the gateway of an attempt answers. */
async function openClient(era: Era, attempt: GatewayAttempt) {
  const url = new URL('http://gateway.test/mcp');
  const fetch = (target: string | URL, init?: RequestInit) => answerMcpRequest(new Request(target, init), attempt);
  if (era === 'legacy') {
    const client = new LegacyClient({ name: 'agent', version: '1' });
    await client.connect(new LegacyTransport(url, { fetch }));
    running.push(client);
    return {
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: client.callTool.bind(client),
    };
  }
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'auto';
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  running.push(client);
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: client.callTool.bind(client),
  };
}

describe('a client of the gateway', () => {
  test.each(eras.flatMap((client) => eras.map((server) => ({ client, server }))))(
    'of the era "$client" calls tools of a server of the era "$server"',
    async ({ client: clientEra, server: serverEra }) => {
      const { server, connections, tools } = await connectTo(serverEra);
      const call: GatewayAttempt['call'] = async (name, args, { signal, ...more }) => {
        const forwarded = await connections.forward(name, args ?? {}, { timeoutMs: 5_000, signal, ...more });
        if (forwarded.kind === 'answered') return forwarded.answer;
        return { kind: 'error', error: { code: -32000, message: forwarded.fault.detail } };
      };
      const client = await openClient(clientEra, { tools, call });
      expect(await client.names()).toContain('test__forecast');
      expect(await client.call({ name: 'test__forecast', arguments: { city: 'Berlin' } })).toMatchObject({
        content: [{ type: 'text', text: 'Berlin: sunny' }],
      });
      expect(server.traceparents).toEqual([expect.stringMatching(ofAttempt)]);
    },
  );

  test.each(eras.flatMap((client) => eras.map((server) => ({ client, server }))))(
    'of the era "$client" has its own `traceparent` passed on to a server of the era "$server", if it is valid',
    async ({ client: clientEra, server: serverEra }) => {
      const { server, connections, tools } = await connectTo(serverEra);
      const call: GatewayAttempt['call'] = async (name, args, { signal, ...more }) => {
        const forwarded = await connections.forward(name, args ?? {}, { timeoutMs: 5_000, signal, ...more });
        if (forwarded.kind === 'answered') return forwarded.answer;
        return { kind: 'error', error: { code: -32000, message: forwarded.fault.detail } };
      };
      const client = await openClient(clientEra, { tools, call });
      const own = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      for (const traceparent of [own, 'not valid'])
        await client.call({ name: 'test__forecast', arguments: { city: 'Berlin' }, _meta: { traceparent } });
      expect(server.traceparents).toEqual([own, expect.stringMatching(ofAttempt)]);
    },
  );
});

describe('a server', () => {
  test.each([
    ['legacy', '2025-11-25'],
    ['modern', '2026-07-28'],
    ['dual', '2026-07-28'],
  ] as const)('of the era "%s" is listed as one of version %s', async (era, version) => {
    const { found } = await connectTo(era);
    expect(found.protocolVersion).toBe(version);
  });

  test('without `initialize` says what it is and how to use it', async () => {
    const { found } = await connectTo('modern');
    expect(found).toMatchObject({ info: { name: 'weather', version: '1.2.3' }, instructions: 'Ask for the weather.' });
  });

  test('that is known to need no `initialize` gets one request for one call', async () => {
    const { server, connections } = await connectTo('modern');
    if (!('asked' in server)) throw new Error('an era server');
    server.asked.splice(0);
    expect(await connections.call('test/forecast', { city: 'Berlin' }, 5_000)).toMatchObject({ kind: 'success' });
    await connections.close();
    expect(server.asked).toEqual(['tools/call']);
  });

  test('gets the parameters that it wants in headers there too', async () => {
    const { server, connections } = await connectTo('modern');
    if (!('asked' in server)) throw new Error('an era server');
    const outcome = await connections.call('test/forecast', { city: 'Berlin', region: 'Süd' }, 5_000);
    expect(outcome).toMatchObject({ kind: 'success', text: 'Berlin: sunny' });
    expect(server.latestHeaders().get('mcp-param-region')).not.toBeNull();
  });

  test('that fails in a result is an error of the tool in both eras', async () => {
    const { connections } = await connectTo('modern');
    expect(await connections.call('test/storm', {}, 5_000)).toMatchObject({ kind: 'error', text: 'no storm in sight' });
  });

  test('may return structured content of any type', async () => {
    const { connections } = await connectTo('modern');
    expect(await connections.call('test/cities', {}, 5_000)).toMatchObject({ kind: 'success', text: '["Berlin"]' });
  });

  test('that asks its user before it acts is declined', async () => {
    const { connections } = await connectTo('modern');
    const outcome = await connections.call('test/book', {}, 5_000);
    expect(outcome).toMatchObject({ kind: 'success', text: expect.stringContaining('decline') });
  });
});
