import { rm, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import type { Turns } from '#adapters/mcp/shared-servers.ts';
import { Admission } from '#adapters/network/admission.ts';
import type { Isolation } from '#core/catalog/isolation/isolation.ts';
import { type Gateway, startGateway } from '../../offline/gateway/gateway.ts';
import { toolsNamed, unlimited } from '../support/unlimited.ts';

vi.setConfig({ testTimeout: 20_000 });

const secret = `whsec_${btoa('a secret of thirty-two bytes ...')}`;
let folder: string;
let gateway: Gateway;
let webhook: { readonly url: string; readonly refused: string[]; readonly heard: unknown[]; failing: number };
let stopWebhook: () => void;

// The published memory server with one file for all sessions, as a service with one account would have it.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-memory-'));
  const file = join(folder, 'memory.jsonl');
  const memory = { name: 'memory', domain: 'knowledge', package: '@modelcontextprotocol/server-memory' };
  gateway = await startGateway({ port: 0, servers: [{ ...memory, env: { MEMORY_FILE_PATH: file } }] });
  expect(await gateway.warm).toEqual([]);
  const heard: unknown[] = [];
  const refused: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      webhook.failing -= 1;
      if (webhook.failing >= 0) return response.writeHead(503).end();
      try {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        heard.push(new Webhook(secret).verify(body, headers));
      } catch (error) {
        refused.push(String(error));
        return response.writeHead(401).end();
      }
      await rm(file, { force: true });
      return response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  webhook = { url: `http://127.0.0.1:${port}/reset`, refused, heard, failing: 0 };
  stopWebhook = () => server.close();
}, 30_000);
afterAll(async () => {
  stopWebhook();
  await gateway.close();
  await rm(folder, { recursive: true });
});

/** The turns of a workspace in which nobody else is. */
const alone: Turns = { take: async () => true, end: async () => undefined };

/** Attempts that write what the others read. */
const attempts: Readonly<Record<string, readonly (readonly [string, Record<string, unknown>])[]>> = {
  writes: [
    [
      'memory/create_entities',
      { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }] },
    ],
    ['memory/read_graph', {}],
  ],
  adds: [
    ['memory/add_observations', { observations: [{ entityName: 'Ada', contents: ['lives in London'] }] }],
    ['memory/search_nodes', { query: 'London' }],
  ],
  reads: [['memory/read_graph', {}]],
};

/** Makes attempts in an order, and returns what each of them saw. */
async function outcomesInOrder(names: readonly string[], isolation: Isolation): Promise<Record<string, unknown[]>> {
  const seen: Record<string, unknown[]> = {};
  const [server] = gateway.servers;
  for (const name of names) {
    const connections = makeLazyConnections({
      admission: new Admission(),
      servers: [{ headers: {}, ...unlimited, name: 'memory', url: server?.url ?? '', isolation }],
      tools: toolsNamed(...Object.values(attempts).flatMap((calls) => calls.map(([tool]) => tool))),
      allowLocal: true,
      use: { attempt: `run/${name}`, turns: alone },
    });
    seen[name] = [];
    for (const [tool, args] of attempts[name] ?? []) {
      const outcome = await connections.call(tool, args, 5_000);
      seen[name].push(outcome.kind === 'fault' ? outcome.fault : outcome.text);
    }
    const unreset = await connections.close();
    if (unreset !== null) seen[name].push(unreset);
  }
  return seen;
}

const orders = [
  ['writes', 'adds', 'reads'],
  ['reads', 'adds', 'writes'],
  ['adds', 'writes', 'reads'],
] as const;

const byWebhook = (when: 'before' | 'after'): Isolation => ({
  kind: 'reset',
  when,
  by: { webhook: webhook.url, secret },
});
const byTool: Isolation = {
  kind: 'reset',
  when: 'before',
  by: { tool: 'delete_entities', arguments: { entityNames: ['Ada'] } },
};

test.each<readonly [string, () => Isolation]>([
  ['a webhook before each attempt', () => byWebhook('before')],
  ['a webhook after each attempt', () => byWebhook('after')],
  ['one of its tools', () => byTool],
])('a memory that is reset by %s gives every attempt the same in any order', async (_, isolation) => {
  await rm(join(folder, 'memory.jsonl'), { force: true });
  const seen = await outcomesInOrder(orders[0], isolation());
  expect(seen['writes']?.[1]).toContain('Ada');
  expect(seen['reads']?.[0]).not.toContain('Ada');
  for (const order of orders.slice(1)) expect(await outcomesInOrder(order, isolation())).toEqual(seen);
  expect(webhook.refused).toEqual([]);
});

test('a memory that nothing resets gives attempts what earlier ones left there', async () => {
  await rm(join(folder, 'memory.jsonl'), { force: true });
  const [first, second] = [
    await outcomesInOrder(orders[0], { kind: 'none' }),
    await outcomesInOrder(orders[1], { kind: 'none' }),
  ];
  expect(first['reads']).not.toEqual(second['adds']);
  expect(first['reads']?.[0]).toContain('Ada');
  await rm(join(folder, 'memory.jsonl'), { force: true });
  expect((await outcomesInOrder(orders[1], { kind: 'none' }))['reads']).not.toEqual(first['reads']);
});

test('a webhook hears which attempt its server is reset for, once for each', async () => {
  webhook.heard.length = 0;
  await outcomesInOrder(['writes', 'reads'], byWebhook('before'));
  expect(webhook.heard).toMatchObject([
    { type: 'attempt.reset', data: { server: 'memory', attempt: 'run/writes', when: 'before' } },
    { type: 'attempt.reset', data: { server: 'memory', attempt: 'run/reads', when: 'before' } },
  ]);
});

test('a reset that fails is tried three times, and then no call is made', async () => {
  webhook.failing = 2;
  expect((await outcomesInOrder(['reads'], byWebhook('before')))['reads']?.[0]).toContain('entities');
  webhook.failing = 3;
  expect((await outcomesInOrder(['writes'], byWebhook('before')))['writes']).toEqual([
    expect.objectContaining({ code: 'not-isolated', detail: expect.stringContaining('HTTP status 503') }),
    expect.objectContaining({ code: 'not-isolated' }),
  ]);
  webhook.failing = 3;
  const after = await outcomesInOrder(['reads'], byWebhook('after'));
  expect(after['reads']?.[1]).toMatchObject({
    code: 'not-isolated',
    detail: expect.stringContaining('after the attempt'),
  });
});
