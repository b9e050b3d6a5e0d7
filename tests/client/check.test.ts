import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeApi, json, problem } from './fake-api.ts';
import { catalog, server } from './listed-server.ts';
import { event, exploration } from './records.ts';
import { framesOf, runVerb } from './run-verb.ts';
import { report } from './tool-reports.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tool = (name: string, effect: string) => ({
  name,
  server: 'files',
  domain: 'general',
  category: 'other',
  inputSchema: { type: 'object' },
  effect,
});
const withTools = { server, functionSchemas: [], tools: [tool('files/read', 'reads'), tool('files/drop', 'destroys')] };
const over = event(1, { type: 'run.ended', status: 'completed', reason: 'budget: rounds used up' });
const stream = (_: unknown, response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(framesOf([over]));

const apiOf = (status: 'completed' | 'failed') =>
  fakeApi(
    json(server, 201),
    json(withTools),
    json(catalog, 201),
    json(exploration(), 201),
    stream,
    json(exploration({ status, reason: 'budget: rounds used up' })),
    json(report),
  );

test('"check" of an address registers the server, explores it and says what works', async () => {
  await using api = await apiOf('completed');
  const { lines } = await runVerb(api, 'check', 'https://mcp.Example.com:8443/mcp', '--units', '25');
  const bodies = api.requests.map(({ body }): unknown => (body === '' ? null : JSON.parse(body)));
  expect(bodies[0]).toMatchObject({
    name: 'mcp-example-com',
    url: 'https://mcp.Example.com:8443/mcp',
    domain: 'general',
    allows: 'reads',
  });
  expect(bodies[3]).toMatchObject({
    catalog: 'cat_1',
    batch: 10,
    siblingUnits: 0,
    negativeUnits: 1,
    budget: { rounds: 3 },
  });
  const text = lines.join('\n');
  expect(text).toContain(
    '1 of 3 tools work for agents, 1 always failed, 1 never answered a call: 20 attempts at 10 units.',
  );
  expect(text).toContain('files/add was called in place of files/append in 7 of 20 attempts [4, 11]');
  expect(text).toContain('files/drop');
  expect(text).toContain('  files/append: high: 6 of 6 calls failed; say why.');
  expect(text).toContain('  files/add, files/list: low: it is slow; be quick.');
  expect(text).not.toContain('\u001b[31m');
});

test.each([
  ['30', 2],
  ['5', 1],
  ['2', 0],
])(
  '"check" with --units %s has %i units of a round for one of two callable tools that look alike',
  async (units, of) => {
    const alike = ['files/read_text', 'files/read_bytes'].map((name) => tool(name, 'reads'));
    await using api = await fakeApi(
      json(server, 201),
      json({ ...withTools, tools: [...alike, tool('files/read_all', 'destroys')] }),
      json(catalog, 201),
      json(exploration(), 201),
      stream,
      json(exploration({ status: 'completed', reason: 'budget: rounds used up' })),
      json(report),
    );
    await runVerb(api, 'check', 'https://mcp.example.com/mcp', '--units', units);
    expect(JSON.parse(api.requests[3]?.body ?? '')).toMatchObject({ siblingUnits: of });
  },
);

test('"check" says first that rules stood in for models, and calls nothing a success then', async () => {
  await using api = await fakeApi(json({ ...report, offline: true }));
  const { lines } = await runVerb(api, 'tools', 'exp_1');
  expect(lines[0]).toBe('Rules stood in for models: calls show what the tools do, not whether agents can use them.');
  expect(lines.join('\n')).not.toMatch(/succe|works|work for/);
});

test('"check --json" gives the run, what was left out, and the report as one value', async () => {
  await using api = await apiOf('completed');
  const { lines } = await runVerb(api, 'check', 'https://mcp.example.com/mcp', '--json');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    {
      exploration: 'exp_1',
      status: 'completed',
      reason: 'budget: rounds used up',
      leftOut: ['files/drop'],
      report,
    },
  ]);
});

test('"check" names a tool that declares that it only reads and says that it deletes, which it does not call', async () => {
  const disguised = { ...tool('files/delete_all', 'unknown'), annotations: { readOnlyHint: true } };
  await using api = await fakeApi(
    json(server, 201),
    json({ ...withTools, tools: [tool('files/read', 'reads'), disguised] }),
    json(catalog, 201),
    json(exploration(), 201),
    stream,
    json(exploration({ status: 'completed', reason: 'budget: rounds used up' })),
    json(report),
  );
  const { lines } = await runVerb(api, 'check', 'https://mcp.example.com/mcp');
  const text = lines.join('\n');
  expect(text).toContain('files/delete_all: high: it declares that it only reads, and its name says "delete"');
  expect(text).toContain('1 tool not called, see --allow: files/delete_all');
});

test('"check" shows what it found out and fails if the run did not complete', async () => {
  await using api = await apiOf('failed');
  await expect(runVerb(api, 'check', 'https://mcp.example.com/mcp')).rejects.toThrow(
    'the check is failed: budget: rounds used up',
  );
});

test('"check" of a file refuses one without servers, and an address that is none', async () => {
  await using api = await fakeApi();
  const file = join(folder, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: {} }));
  await expect(runVerb(api, 'check', file)).rejects.toThrow();
  await expect(runVerb(api, 'check', 'https://')).rejects.toThrow('"https://" is no address of a server');
  expect(api.requests).toHaveLength(0);
});

test('"check" says which option is needed if no tool may be called', async () => {
  const unknown = ['files/a', 'files/b'].map((name) => tool(name, 'unknown'));
  await using api = await fakeApi(json(server, 201), json({ ...withTools, tools: unknown }));
  await expect(runVerb(api, 'check', 'https://mcp.example.com/mcp')).rejects.toThrow('give --allow writes');
});

test('"check" fails with the cause if the server cannot be registered', async () => {
  await using api = await fakeApi(problem(422, 'server-unusable'));
  await expect(runVerb(api, 'check', 'https://mcp.example.com/mcp')).rejects.toThrow('server-unusable');
});

test('"tools" reads the report of an evaluation, of one agent where one is named', async () => {
  await using api = await fakeApi(json(report));
  await runVerb(api, 'tools', 'evl_1', '--agent', 'steady');
  expect(api.requests[0]?.line).toBe('GET /v1/evaluations/evl_1/tools?agent=steady');
  await expect(runVerb(api, 'tools', 'exp_1', '--agent', 'steady')).rejects.toThrow('an exploration has no agents');
  await expect(runVerb(api, 'tools', 'exp_1/evolutions/1')).rejects.toThrow('exp_1');
});
