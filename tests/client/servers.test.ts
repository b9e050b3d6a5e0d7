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

test('"servers prove" says what to publish where the proof is not there, and until when it holds where it is', async () => {
  const unproven = {
    host: 'mcp.example.com',
    limit: 1_000,
    unprovenToday: 12,
    proof: null,
    line: 'sextant-proof=abc',
    file: 'https://mcp.example.com/.well-known/sextant.txt',
    record: '_sextant.mcp.example.com',
  };
  const proof = {
    by: 'dns',
    since: '2026-11-01T10:00:00Z',
    found: '2026-11-02T10:00:00Z',
    until: '2026-12-02T10:00:00Z',
  };
  const missing = { title: 'Not proven', status: 422, code: 'host-not-proven', detail: 'it has no TXT records' };
  const located = { ...server, url: 'https://MCP.example.com:8443/mcp' };
  const listed = json({ items: [located], nextCursor: null });
  const known = json({ server: located, tools: [], functionSchemas: checkSchemasUnderProfiles([]) });
  await using api = await fakeApi(
    listed,
    known,
    json({ type: '/docs/errors#x', retryable: true, requestId: 'req_1', ...missing }, 422),
    json(unproven),
    listed,
    known,
    json(unproven),
    listed,
    known,
    json({ ...unproven, proof }),
  );
  await expect(runVerb(api, 'servers', 'prove', 'files')).rejects.toMatchObject({ code: 'host-not-proven' });
  const { lines } = await runVerb(api, 'servers', 'prove', 'files', '--show');
  expect(lines).toEqual([
    'mcp.example.com is not proven: it got 12 of 1000 requests today',
    'To prove that mcp.example.com is yours, publish the line',
    '  sextant-proof=abc',
    'in a DNS record (TXT) _sextant.mcp.example.com',
    'or, among other lines, in https://mcp.example.com/.well-known/sextant.txt (text/plain).',
  ]);
  expect((await runVerb(api, 'servers', 'prove', 'files')).lines).toEqual([
    'mcp.example.com is proven (dns) until 2026-12-02',
  ]);
  expect(api.requests.map(({ line }) => line)).toContain('POST /v1/hosts/mcp.example.com/proof');
});
