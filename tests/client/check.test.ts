import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkReport } from '#core/reports/check/report.ts';
import { server as courier } from '../fixtures/servers/courier.ts';
import { fakeApi, json, problem } from './fake-api.ts';
import { catalog, server } from './listed-server.ts';
import { event, exploration } from './records.ts';
import { framesOf, runVerb } from './run-verb.ts';
import { writeServerFile } from './server-file.ts';
import { report } from './tool-reports.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const checked = async (...words: readonly string[]) => {
  await using api = await fakeApi();
  const { lines } = await runVerb(api, 'check', ...words, '--json');
  expect(api.requests).toHaveLength(0);
  return checkReport.parse(JSON.parse(lines.join('')));
};

describe('"check" without a model', () => {
  test('names what is wrong with a server, the worst first, with the call that shows it and a line that repeats it', async () => {
    await using api = await fakeApi();
    const file = writeServerFile(folder, { stock: 'inventory' });
    const { lines, notes } = await runVerb(api, 'check', file);
    const text = lines.join('\n');
    expect(lines[0]).toMatch(/^\d of 5 tools need work before agents use them: /);
    expect(lines[1]).toMatch(
      /^safe \w {2}clear \w {2}distinct \w {2}sturdy \w {2}lean \w {2}conformant \w {2}\(overall \w\)$/,
    );
    expect(text).toContain('HIGH    list_movements  [lists-unknown-tool]');
    expect(text).toMatch(/MEDIUM {2}get_supplier {2}\[empty-for-unknown\].*\n +call: get_supplier \{.*→/);
    const again = /again: (.*get_supplier.*)/.exec(text)?.[1] ?? '';
    expect(again).toContain(`call ${file} stock/get_supplier '{`);
    expect(text.indexOf('HIGH')).toBeLessThan(text.indexOf('MEDIUM'));
    expect(notes).toContain('stock: 5 tools, of which 5 may be called');
    expect(api.requests).toHaveLength(0);
  });

  test('finds nothing of medium severity or higher at a server without a fault', async () => {
    const found = await checked(writeServerFile(folder, { sums: 'rounding' }));
    expect(found.findings.filter(({ severity }) => severity !== 'low')).toEqual([]);
    expect(found.grades).toMatchObject({
      safe: 'A',
      clear: 'A',
      distinct: 'A',
      sturdy: 'A',
      lean: 'A',
      conformant: 'A',
    });
  });

  test('never calls a tool that says that it changes something, regardless of what it declares, and names the contradiction', async () => {
    const calls = join(folder, 'calls');
    const file = writeServerFile(folder, { parcels: 'courier' }, { CALLS_FILE: calls });
    const found = await checked(file);
    const changing = courier.tools.filter(({ changes }) => changes === true).map(({ definition }) => definition.name);
    expect(changing).not.toHaveLength(0);
    expect(
      readFileSync(calls, 'utf8')
        .split('\n')
        .filter((name) => changing.includes(name)),
    ).toEqual([]);
    expect(found.findings).toContainEqual(
      expect.objectContaining({ rule: 'effect-contradicted', severity: 'high', tool: 'parcels/solicitar_recogida' }),
    );
    expect(found.notes.join('\n')).toContain('solicitar_recogida');
  });

  test('calls nothing with --static, and says so', async () => {
    const calls = join(folder, 'calls');
    const found = await checked(writeServerFile(folder, { stock: 'inventory' }, { CALLS_FILE: calls }), '--static');
    expect(found).toMatchObject({ static: true, grades: { sturdy: null } });
    expect(found.tools.every((each) => each.calls === 0)).toBe(true);
    expect(() => readFileSync(calls)).toThrow('ENOENT');
  });

  test.each([
    ['the result of tools/list', (tools: unknown) => ({ tools })],
    ['the whole response', (tools: unknown) => ({ jsonrpc: '2.0', id: 1, result: { tools } })],
    ['the tools alone', (tools: unknown) => tools],
  ])('looks at the definitions of a file that has %s', async (_, wrap) => {
    const file = join(folder, 'stock.json');
    writeFileSync(file, JSON.stringify(wrap([{ name: 'get_order', inputSchema: { type: 'object' } }])));
    const found = await checked(file);
    expect(found).toMatchObject({ servers: ['stock'], static: true, tools: [{ tool: 'stock/get_order' }] });
    expect(found.findings).toContainEqual(
      expect.objectContaining({ rule: 'description-missing', tool: 'stock/get_order' }),
    );
  });

  test('fails by --fail-on, counts only the families of --only, and leaves out what a baseline accepts', async () => {
    await using api = await fakeApi();
    const file = writeServerFile(folder, { points: 'clinic' });
    await expect(runVerb(api, 'check', file, '--static', '--fail-on', 'low')).rejects.toThrow(
      /^\d+ findings? of severity low or worse \(--fail-on\)$/,
    );
    await runVerb(api, 'check', file, '--static', '--fail-on', 'high');
    const safe = await checked(file, '--static', '--only', 'safe');
    expect(safe.findings.every(({ family }) => family === 'safe')).toBe(true);
    expect(safe.grades.clear).toBeNull();
    const baseline = join(folder, 'accepted.json');
    await checked(file, '--static', '--baseline', baseline, '--accept');
    const after = await checked(file, '--static', '--baseline', baseline, '--fail-on', 'low');
    expect(after.findings).toEqual([]);
    expect(after.accepted).toBeGreaterThan(0);
  });

  test('writes Markdown, JUnit, HTML, SARIF and a badge', async () => {
    await using api = await fakeApi();
    const at = (name: string): string => join(folder, name);
    const files = ['--markdown', at('c.md'), '--junit', at('c.xml'), '--html', at('c.html'), '--sarif', at('c.sarif')];
    await runVerb(
      api,
      'check',
      writeServerFile(folder, { stock: 'inventory' }),
      '--static',
      ...files,
      '--badge',
      at('c.svg'),
    );
    expect(readFileSync(at('c.md'), 'utf8')).toMatch(/^\*\*/);
    expect(readFileSync(at('c.xml'), 'utf8')).toContain('<testsuite name="sextant: check of stock"');
    expect(readFileSync(at('c.html'), 'utf8')).toContain('<h1>');
    expect(JSON.parse(readFileSync(at('c.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(readFileSync(at('c.svg'), 'utf8')).toContain('5 tools, definitions only');
  });

  test('says why a server cannot be checked, with the last words of its process', async () => {
    await using api = await fakeApi();
    const file = join(folder, 'mcp.json');
    const broken = { command: process.execPath, args: ['-e', 'throw new Error("no database")'] };
    writeFileSync(file, JSON.stringify({ mcpServers: { broken } }));
    await expect(runVerb(api, 'check', file)).rejects.toThrow(/^broken cannot be checked: .*Error: no database/);
    const { mcpServers } = JSON.parse(readFileSync(writeServerFile(folder, { sums: 'rounding' }), 'utf8'));
    writeFileSync(file, JSON.stringify({ mcpServers: { broken, ...mcpServers } }));
    await expect(runVerb(api, 'check', file, '--static')).rejects.toThrow('1 server could not be checked: broken');
  });

  test('refuses what it cannot read, before it starts anything', async () => {
    await using api = await fakeApi();
    const file = join(folder, 'mcp.json');
    writeFileSync(file, JSON.stringify({ mcpServers: {} }));
    await expect(runVerb(api, 'check', file)).rejects.toThrow();
    await expect(runVerb(api, 'check', 'https://')).rejects.toThrow('"https://" is no address of a server');
    await expect(runVerb(api, 'check', file, '--accept')).rejects.toThrow('--accept needs --baseline FILE');
    await expect(runVerb(api, 'check', file, '--fail-on', 'bad')).rejects.toThrow('give one of high, medium, low');
    await expect(runVerb(api, 'check', file, '--only', 'safe,nice')).rejects.toThrow('give one of safe, clear');
    const listed = join(folder, 'tools.json');
    writeFileSync(listed, JSON.stringify({ tools: [{ description: 'nameless' }] }));
    await expect(runVerb(api, 'check', listed)).rejects.toThrow('tools.0 has no name');
    const baseline = join(folder, 'accepted.json');
    writeFileSync(baseline, '{"sextant":1,"accepted":[{"rule":"bad-taste","tool":"a/b"}]}');
    await expect(runVerb(api, 'check', listed, '--baseline', baseline)).rejects.toThrow('there is no rule "bad-taste"');
  });
});

describe('"call"', () => {
  test('calls a tool and shows what it answers', async () => {
    await using api = await fakeApi();
    const file = writeServerFile(folder, { sums: 'rounding' });
    const tools = await checked(file, '--static');
    const [first] = tools.tools;
    await expect(runVerb(api, 'call', file, 'no_such_tool')).rejects.toThrow('an error of the protocol');
    await expect(runVerb(api, 'call', file, first?.tool ?? '', '[1]')).rejects.toThrow('give a JSON object');
    await expect(runVerb(api, 'call', file, first?.tool ?? '', '{')).rejects.toThrow('not JSON');
  });

  test('needs the name of the server where a file has several', async () => {
    await using api = await fakeApi();
    const file = writeServerFile(folder, { sums: 'rounding', stock: 'inventory' });
    await expect(runVerb(api, 'call', file, 'get_stock')).rejects.toThrow('give SERVER/TOOL, with one of sums, stock');
    await expect(runVerb(api, 'call', file, 'stock/list_movements')).rejects.toThrow();
  });
});

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

describe('"check" with --units', () => {
  const words = (...more: readonly string[]) => [
    'check',
    writeServerFile(folder, { files: 'files' }),
    '--static',
    '--units',
    ...more,
  ];

  test('registers the server, explores it and says what works, below what it found itself', async () => {
    await using api = await apiOf('completed');
    const { lines } = await runVerb(api, ...words('25'));
    const bodies = api.requests.map(({ body }): unknown => (body === '' ? null : JSON.parse(body)));
    expect(bodies[0]).toMatchObject({ name: 'files', domain: 'general', allows: 'reads' });
    expect(bodies[3]).toMatchObject({
      catalog: 'cat_1',
      batch: 10,
      siblingUnits: 0,
      negativeUnits: 1,
      budget: { rounds: 3 },
    });
    const text = lines.join('\n');
    expect(text).toContain(
      '1 of 3 tools work for agents, 1 always failed, 1 were not called: 20 attempts at 10 units.',
    );
    expect(text).toContain('files/add was called in place of files/append in 7 of 20 attempts [4, 11]');
    expect(text).toContain('  files/append: high: 6 of 6 calls failed; say why.');
    expect(text).toContain('  files/add, files/list: low: it is slow; be quick.');
    expect(text.indexOf('By the definitions')).toBeLessThan(text.indexOf('What agents did with the tools:'));
    expect(text).not.toContain('\u001b[31m');
  });

  test.each([
    ['30', 2],
    ['5', 1],
    ['2', 0],
  ])('%s has %i units of a round for one of two callable tools that look alike', async (units, of) => {
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
    await runVerb(api, ...words(units));
    expect(JSON.parse(api.requests[3]?.body ?? '')).toMatchObject({ siblingUnits: of });
  });

  test('gives what the exploration says beside its own report as one value', async () => {
    await using api = await apiOf('completed');
    const { lines } = await runVerb(api, ...words('30', '--json'));
    const value: unknown = JSON.parse(lines.join(''));
    expect(checkReport.parse(value).servers).toEqual(['files']);
    expect(value).toMatchObject({
      exploration: { id: 'exp_1', status: 'completed', reason: 'budget: rounds used up', report },
    });
  });

  test('shows what it found out and fails if the run did not complete', async () => {
    await using api = await apiOf('failed');
    await expect(runVerb(api, ...words('30'))).rejects.toThrow('the exploration is failed: budget: rounds used up');
  });

  test('keeps its own report if the exploration cannot be made', async () => {
    await using api = await fakeApi(problem(422, 'server-unusable'));
    const markdown = join(folder, 'check.md');
    await expect(runVerb(api, ...words('30', '--markdown', markdown))).rejects.toThrow('server-unusable');
    expect(readFileSync(markdown, 'utf8')).toContain('By the definitions');
  });

  test('says which option is needed if no tool may be called', async () => {
    const unknown = ['files/a', 'files/b'].map((name) => tool(name, 'unknown'));
    await using api = await fakeApi(json(server, 201), json({ ...withTools, tools: unknown }));
    await expect(runVerb(api, ...words('30'))).rejects.toThrow('give --allow writes');
  });
});

test('a report says first that rules stood in for models, and calls nothing a success then', async () => {
  await using api = await fakeApi(json({ ...report, offline: true }));
  const { lines } = await runVerb(api, 'tools', 'exp_1');
  expect(lines[0]).toBe('Rules stood in for models: calls show what the tools do, not whether agents can use them.');
  expect(lines.join('\n')).not.toMatch(/succe|works|work for|in place of/);
});

test('"tools" reads the report of an evaluation, of one agent where one is named', async () => {
  await using api = await fakeApi(json(report));
  await runVerb(api, 'tools', 'evl_1', '--agent', 'steady');
  expect(api.requests[0]?.line).toBe('GET /v1/evaluations/evl_1/tools?agent=steady');
  await expect(runVerb(api, 'tools', 'exp_1', '--agent', 'steady')).rejects.toThrow('an exploration has no agents');
  await expect(runVerb(api, 'tools', 'exp_1/evolutions/1')).rejects.toThrow('exp_1');
});
