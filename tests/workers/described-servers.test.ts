import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogRecord, serverRecord, type ServerRecord } from '#core/catalog/server.ts';
import { tool } from '#core/catalog/tool.ts';
import { expectStatus, newWorkspace, problemOf, type TestWorkspace } from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';

const lines = (...servers: object[]) => servers.map((each) => `${JSON.stringify(each)}\n`).join('');
const fruit = {
  name: 'fruit',
  domain: 'food',
  description: 'Knows apples and pears.',
  info: { name: 'fruit-mcp', title: 'Fruit' },
  tools: [{ name: 'apple', description: 'Returns an apple', inputSchema: { type: 'object' } }],
};
const trees = { name: 'trees', domain: 'woods', tools: [{ name: 'oak', inputSchema: { type: 'object' } }] };
const upload = { headers: { 'content-type': 'text/jsonl' } };

const send = (workspace: TestWorkspace, body: string) => workspace.post('/v1/servers/import', body, upload);
const imported = async (workspace: TestWorkspace, ...servers: object[]): Promise<ServerRecord[]> =>
  z.object({ servers: z.array(serverRecord) }).parse(expectStatus(await send(workspace, lines(...servers)), 200))
    .servers;

describe('described servers', () => {
  test('are listed without an address, and importing them again changes nothing', async () => {
    const workspace = await newWorkspace();
    const first = await imported(workspace, fruit, trees);
    expect(first).toMatchObject([
      {
        name: 'fruit',
        url: null,
        tools: 1,
        categorizedBy: { rules: 1 },
        info: fruit.info,
        description: { text: 'Knows apples and pears.', source: 'owner' },
        survey: { on: false },
      },
      { name: 'trees', url: null, description: null },
    ]);
    expect(await imported(workspace, fruit, trees)).toEqual(first);
    const [changed] = await imported(workspace, { ...fruit, domain: 'fruit' });
    expect(changed).toMatchObject({ id: first[0]?.id, domain: 'fruit', createdAt: first[0]?.createdAt });
  });

  test('are not stored at all if one line is broken', async () => {
    const workspace = await newWorkspace();
    expect(problemOf(await send(workspace, `${lines(fruit)}{`))).toEqual([400, 'invalid-line']);
    expect(expectStatus(await workspace.get('/v1/servers'), 200)).toEqual({ items: [], nextCursor: null });
  });

  test('go into catalogs, but not into explorations', async () => {
    const workspace = await newWorkspace();
    const [described] = await imported(workspace, fruit);
    if (described === undefined) throw new Error('nothing was imported');
    const catalog = await workspace.catalog(described);
    expect(catalog).toMatchObject({ tools: 1, servers: [{ name: 'fruit' }] });
    const answer = await workspace.post('/v1/explorations', { catalog: catalog.id });
    expect(problemOf(answer)).toEqual([422, 'server-not-connected']);
    const relisted = await workspace.post(`/v1/servers/${described.id}/relist`);
    expect(problemOf(relisted)).toEqual([422, 'server-not-connected']);
  });

  test('are replaced by registering a server of their name, which catalogs then reach', async () => {
    const workspace = await newWorkspace();
    const [described] = await imported(workspace, fruit);
    if (described === undefined) throw new Error('nothing was imported');
    const before = await workspace.catalog(described);
    const outside = await startServer({ tools: tools('apple', 'pear') });
    const record = await workspace.server('fruit', outside.url);
    expect(record).toMatchObject({ id: described.id, url: outside.url, tools: 2, description: described.description });
    expect(problemOf(await workspace.post('/v1/servers', { name: 'fruit', domain: 'a', url: outside.url }))).toEqual([
      409,
      'name-taken',
    ]);
    // The catalog stays as it was frozen, and a connected server is not overwritten by a description.
    expect(await imported(workspace, fruit)).toEqual([record]);
    const frozen = z
      .object({ catalog: catalogRecord, tools: z.array(tool) })
      .parse(expectStatus(await workspace.get(`/v1/catalogs/${before.id}`), 200));
    expect(frozen.tools.map(({ name }) => name)).toEqual(['fruit/apple']);
  });
});
