import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toolSelection } from '#core/catalog/selection.ts';
import { catalogRecord } from '#core/catalog/server.ts';
import { tool } from '#core/catalog/tool.ts';
import { explore, follow, prepare, recordOf } from '../support/exploration.ts';
import { expectStatus, newWorkspace, pageOf, problemOf } from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';

const catalogAndTools = z.object({ catalog: catalogRecord, tools: z.array(tool) });

describe('a catalog', () => {
  test('has the same id for the same tools in any workspace, order or address', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const list = tools('apple', 'pear', 'plum') ?? [];
    const [one, other, more] = [
      await startServer({ tools: list }),
      await startServer({ tools: list.toReversed() }),
      await startServer({ tools: tools('alder') }),
    ];
    const first = await mine.catalog(await mine.server('fruit', one.url), await mine.server('trees', more.url));
    const second = await theirs.catalog(
      await theirs.server('trees', more.url),
      await theirs.server('fruit', other.url, { headers: { 'X-A': 'b' } }),
    );
    expect(second.id).toBe(first.id);
    expect(first).toMatchObject({
      tools: 4,
      servers: [
        { name: 'fruit', tools: 3 },
        { name: 'trees', tools: 1 },
      ],
    });

    const again = catalogRecord.parse(
      expectStatus(await mine.post('/v1/catalogs', { servers: first.servers.map(({ id }) => id) }), 201),
    );
    expect(again).toEqual(first);
    expect(pageOf(catalogRecord).parse((await mine.get('/v1/catalogs')).body).items).toEqual([first]);
    const got = catalogAndTools.parse(expectStatus(await mine.get(`/v1/catalogs/${first.id}`), 200));
    expect(got.tools.map(({ name }) => name)).toEqual(['fruit/apple', 'fruit/pear', 'fruit/plum', 'trees/alder']);
  });

  const changes: [string, Record<string, unknown>][] = [
    ['description', { description: 'Does something else' }],
    ['schema', { inputSchema: { type: 'object' } }],
    ['name', { name: 'peach' }],
  ];
  test.each(changes)('has another id after a change of %s', async (_what, change) => {
    const workspace = await newWorkspace();
    const [apple, ...rest] = tools('apple', 'pear') ?? [];
    const before = await startServer({ tools: [{ name: 'apple', ...apple }, ...rest] });
    const after = await startServer({ tools: [{ name: 'apple', ...apple, ...change }, ...rest] });
    const old = await workspace.server('fruit', before.url);
    const frozen = await workspace.catalog(old);
    await workspace.remove(`/v1/servers/${old.id}`);
    const changed = await workspace.catalog(await workspace.server('fruit', after.url));
    expect(changed.id).not.toBe(frozen.id);
    // The old one stays as it was.
    const kept = catalogAndTools.parse(expectStatus(await workspace.get(`/v1/catalogs/${frozen.id}`), 200));
    expect(kept.tools[0]?.description).toBe('Does what apple does');
  });

  test('whose server was removed can be explored again once the server is back', async () => {
    const ground = await prepare({ servers: { fruit: { tools: tools('apple', 'pear') } } });
    const { workspace, servers, catalog } = ground;
    const [{ id } = { id: '' }] = catalogAndTools.parse((await workspace.get(`/v1/catalogs/${catalog}`)).body).catalog
      .servers;
    await workspace.remove(`/v1/servers/${id}`);
    expect(problemOf(await workspace.post('/v1/explorations', { catalog }))).toEqual([404, 'not-found']);
    const back = await workspace.server('fruit', servers['fruit']?.url ?? '', { domain: 'the fruit' });
    expect((await workspace.catalog(back)).id).toBe(catalog);
    const run = await explore(ground, { batch: 1 });
    await follow(workspace.key, run);
    expect((await recordOf(ground, run)).status).toBe('completed');
  });

  test('with too many tools or bytes is refused before they are read', async () => {
    const workspace = await newWorkspace();
    const { id } = await workspace.server('fruit', (await startServer({ tools: tools('apple', 'pear') })).url);
    const stub = env.WORKSPACE.getByName(workspace.id);
    const freeze = (limits: { tools: number; bytes: number }) =>
      stub.findOrCreateCatalog({ servers: [id], ...toolSelection.parse({}) }, limits, '2026-01-01');
    expect(await freeze({ tools: 1, bytes: 10_000 })).toMatchObject({ problem: { code: 'too-many-tools' } });
    expect(await freeze({ tools: 2, bytes: 100 })).toMatchObject({ problem: { code: 'tools-too-large' } });
    expect(pageOf(catalogRecord).parse((await workspace.get('/v1/catalogs')).body).items).toEqual([]);
    expect(await freeze({ tools: 2, bytes: 10_000 })).toMatchObject({ ok: true });
  });

  test('refuses unknown and foreign servers, and nonsense', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { url } = await startServer({ tools: tools('apple') });
    const foreign = await theirs.server('fruit', url);
    const catalog = await theirs.catalog(foreign);
    expect(problemOf(await mine.post('/v1/catalogs', { servers: [foreign.id] }))).toEqual([404, 'not-found']);
    expect(problemOf(await mine.post('/v1/catalogs', { servers: ['srv_unknown'] }))).toEqual([404, 'not-found']);
    expect(problemOf(await mine.get(`/v1/catalogs/${catalog.id}`))).toEqual([404, 'not-found']);
    expect(problemOf(await mine.post('/v1/catalogs', { servers: [] }))).toEqual([400, 'invalid-request']);
    expect(problemOf(await mine.post('/v1/catalogs', { servers: [foreign.id], name: 'x' }))).toEqual([
      400,
      'invalid-request',
    ]);
    expect(pageOf(catalogRecord).parse((await mine.get('/v1/catalogs')).body).items).toEqual([]);
  });
});
