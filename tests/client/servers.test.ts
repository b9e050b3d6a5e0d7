import { expect, test } from 'vitest';
import type { ServerRecord } from '#core/catalog/server.ts';
import { judgeSchemas } from '#core/models/function-schemas/judge-schemas.ts';
import { fakeApi, json } from './fake-api.ts';
import { runVerb } from './run-verb.ts';

const server: ServerRecord = {
  id: 'srv_1',
  name: 'files',
  domain: 'files',
  url: 'https://files.example.com/mcp',
  headerNames: [],
  tools: 2,
  categories: {},
  categorizedBy: { owner: 0, model: 0, rules: 0 },
  leftOut: [],
  longDescriptions: [],
  effects: { unknown: 2 },
  allows: 'reads',
  redact: { fields: [], patterns: [] },
  private: false,
  createdAt: '2026-01-01T00:00:00Z',
  listedAt: '2026-01-01T00:00:00Z',
  survey: { on: false, at: null, entries: 0, failed: 0, problem: null },
  info: null,
  protocolVersion: null,
  instructions: null,
  description: null,
  errors: { marks: null, marked: 0, reported: 0 },
};
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
