import { expect, test } from 'vitest';
import { checkSchemasUnderProfiles } from '#core/models/function-schemas/judge-schemas.ts';
import { fakeApi, json } from './fake-api.ts';
import { server } from './listed-server.ts';
import { runVerb } from './run-verb.ts';

const tool = (name: string, inputSchema: Record<string, unknown>) => ({
  name,
  server: 'files',
  domain: 'files',
  category: 'filesystem',
  inputSchema,
});

test('"servers schemas" says what becomes of the schemas of a server\'s tools for each profile of endpoints', async () => {
  const tools = [
    tool('files/list', { type: 'object' }),
    tool('files/find', { type: 'object', properties: {}, oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  ];
  await using api = await fakeApi(
    json({ items: [server], nextCursor: null }),
    json({ server, tools, functionSchemas: checkSchemasUnderProfiles(tools) }),
  );
  const { lines } = await runVerb(api, 'servers', 'schemas', 'files');
  expect(lines).toEqual([
    'openai: 0 tools unchanged, 1 rewritten with the same meaning, 1 left out',
    '  files/list: properties-added',
    '  files/find is left out: keyword at /oneOf',
    'anthropic: 0 tools unchanged, 1 rewritten with the same meaning, 1 left out',
    '  files/list: properties-added',
    '  files/find is left out: keyword at /oneOf',
    'gemini: 0 tools unchanged, 1 rewritten with the same meaning, 1 left out',
    '  files/list: properties-added',
    '  files/find is left out: overlapping-alternatives at /oneOf',
  ]);
});

test('"servers add" and "servers limit" say how many requests a server takes', async () => {
  const limited = { ...server, limits: { concurrency: 4, perMinute: 60 } };
  await using api = await fakeApi(json(limited, 201), json({ items: [server], nextCursor: null }), json(server));
  const options = ['--concurrency', '4', '--per-minute', '60'];
  const added = await runVerb(api, 'servers', 'add', 'files', 'http://x.test/mcp', '--domain', 'files', ...options);
  expect(added.lines).toContain('limits: 4 at once, 60 a minute');
  expect((await runVerb(api, 'servers', 'limit', 'files')).lines).toEqual(['files: limits: none']);
  expect(api.requests.map(({ line }) => line)).toContain(`PATCH /v1/servers/${server.id}`);
  expect(api.requests[0]?.body).toContain('"limits":{"concurrency":4,"perMinute":60}');
});
