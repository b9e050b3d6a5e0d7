import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { explore, follow, modelKey, prepare } from '../support/exploration.ts';
import { rootKey } from '../support/root-key.ts';
import { storedText } from '../support/storage.ts';
import { call, expectStatus } from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';

const headerValue = 'token-of-the-server-9c1f';

describe('secrets', () => {
  test('reach only their recipients, and never storage, answers or events', async () => {
    const prepared = await prepare({ servers: { fruit: { tools: tools('apple', 'pear') } } });
    const { workspace } = prepared;
    const server = await startServer({ tools: tools('alder', 'birch') });
    const record = await workspace.server('trees', server.url, {
      headers: { 'X-Token': headerValue, Authorization: `Bearer ${headerValue}` },
    });
    expect(record.headerNames.toSorted()).toEqual(['Authorization', 'X-Token']);
    const { id: catalog } = await workspace.catalog(record);
    const made = z
      .object({ secret: z.string() })
      .parse(expectStatus(await workspace.post('/v1/keys', { name: 'k', scopes: ['read'] }), 201));
    expect((await call(rootKey, 'GET', '/v1/servers')).status).toBe(200);

    const run = await explore({ ...prepared, catalog }, { batch: 1 });
    const { events } = await follow(workspace.key, run);

    // They were used.
    const { requests, calls } = await server.log();
    expect(calls.length).toBeGreaterThan(0);
    expect(requests.every(({ headers }) => headers['x-token'] === headerValue)).toBe(true);
    const asked = await prepared.model.asked();
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${modelKey}`]));

    const stored = await Promise.all([
      storedText(env.DIRECTORY.getByName('directory')),
      storedText(env.WORKSPACE.getByName(workspace.id)),
      storedText(env.EXPLORATION_RUN.getByName(run)),
    ]);
    expect(stored.map((text) => text.length > 500)).toEqual([true, true, true]);
    const answers = await Promise.all(
      [
        '/v1/servers',
        `/v1/servers/${record.id}`,
        `/v1/catalogs/${catalog}`,
        `/v1/explorations/${run}`,
        `/v1/explorations/${run}/units`,
        '/v1/keys',
      ].map(async (path) => JSON.stringify(expectStatus(await workspace.get(path), 200))),
    );
    const everything = [...stored, ...answers, JSON.stringify(events)].join('\n');
    for (const secret of [headerValue, modelKey, made.secret, workspace.key, rootKey, 'key-of-the-deployment']) {
      expect(everything.includes(secret), secret).toBe(false);
    }
    // The search would have found them.
    expect(everything).toContain(server.url);
  });

  test('of the deployment are never sent to an address that a client named', async () => {
    const ground = await prepare({ servers: { fruit: { tools: tools('apple', 'pear') } } });
    const choice = { baseUrl: ground.model.baseUrl, model: 'scripted' };
    const run = await explore(ground, {
      batch: 1,
      more: { models: { writer: choice, critic: choice, agent: choice } },
    });
    await follow(ground.workspace.key, run);
    const asked = await ground.model.asked();
    expect(asked.length).toBeGreaterThan(0);
    expect(JSON.stringify(asked)).not.toContain('key-of-the-deployment');
  });
});
