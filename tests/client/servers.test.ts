import { expect, test } from 'vitest';
import { judgeSchemas } from '#core/models/function-schemas/judge-schemas.ts';
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
    json({ server, tools, functionSchemas: judgeSchemas(tools) }),
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
