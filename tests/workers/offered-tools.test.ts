import { exports } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { clientEras, connectClient, type CallResult, type ClientEra, type TestClient } from '../support/mcp-clients.ts';
import { frozen, type TestBed } from '../support/evaluation.ts';
import { prepare } from '../support/exploration.ts';
import { keyFor, newWorkspace, unique } from '../support/workspace.ts';
import { startServer, tools } from '../support/world.ts';

const clients: TestClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function open(era: ClientEra, key: string): Promise<TestClient> {
  const client = await connectClient(era, (request) => exports.default.fetch(request), key);
  clients.push(client);
  return client;
}

/** The structured content of a result that is no error; the words and the same data come with it. */
function dataOf<T>(schema: z.ZodType<T>, result: CallResult): T {
  if (result.isError === true) throw new Error(result.content[0]?.text);
  expect(JSON.parse(result.content[1]?.text ?? '')).toEqual(result.structuredContent);
  return schema.parse(result.structuredContent);
}

const codeOf = (result: CallResult): string => {
  expect(result.isError).toBe(true);
  return z.object({ code: z.string() }).parse(JSON.parse(result.content[1]?.text ?? '')).code;
};

const shownRun = z.object({
  run: z.looseObject({ id: z.string(), status: z.string() }),
  next: z.array(z.string()),
});
const page = z.object({ items: z.array(z.looseObject({ id: z.string() })), nextCursor: z.string().nullable() });
const stepsPage = z.object({ steps: z.array(z.looseObject({ tool: z.string() })), nextCursor: z.string().nullable() });
const reportPage = z.object({
  of: z.int(),
  tools: z.array(z.looseObject({ tool: z.string(), verdict: z.string() })),
  nextCursor: z.string().nullable(),
});

/** Follows a paged tool to its end. */
async function allPages<T>(
  call: (cursor: string) => Promise<CallResult>,
  schema: z.ZodType<{ nextCursor: string | null }>,
  itemsOf: (result: CallResult) => readonly T[],
): Promise<{ readonly items: T[]; readonly pages: number }> {
  const items: T[] = [];
  let cursor: string | null = '';
  let pages = 0;
  for (; cursor !== null && pages < 100; pages += 1) {
    const result: CallResult = await call(cursor);
    items.push(...itemsOf(result));
    cursor = dataOf(schema, result).nextCursor;
  }
  return { items, pages };
}

async function waitFor(client: TestClient, run: string): Promise<z.infer<typeof shownRun>> {
  for (;;) {
    const shown = dataOf(shownRun, await client.call('wait_for_run', { run }));
    if (shown.run.status !== 'running') return shown;
  }
}

describe.each(clientEras)('a client of the era "%s"', (era) => {
  test('registers a server, explores its tools, and reads what was found, with retries that start nothing twice', async () => {
    const { key } = await newWorkspace();
    const client = await open(era, key);
    expect((await client.call('list_servers')).content[0]?.text).toBe(
      'No server is registered. add_server registers one.',
    );
    const outside = await startServer({ tools: tools('apple', 'pear', 'plum', 'quince') });
    const added = dataOf(
      z.object({ server: z.looseObject({ id: z.string(), tools: z.int(), allows: z.string() }) }),
      await client.call('add_server', { name: 'fruit', domain: 'food', url: outside.url }),
    ).server;
    expect(added).toMatchObject({ tools: 4, allows: 'reads' });
    expect(codeOf(await client.call('add_server', { name: 'fruit', domain: 'food', url: outside.url }))).toBe(
      'name-taken',
    );
    // Runs read only, and these tools do not say that they do.
    expect(codeOf(await client.call('create_catalog', { servers: [added.id] }))).toBe('nothing-allowed');
    await outside.close();
  });

  test('starts a run once for each key, follows it and reads its report, its units and its calls', async () => {
    const ground = await prepare();
    const client = await open(era, ground.workspace.key);
    const start = { catalog: ground.catalog, budget: { rounds: 2 }, batch: 2, idempotencyKey: 'first' };
    const dry = dataOf(
      z.looseObject({ run: z.null(), estimate: z.looseObject({ tokens: z.int() }) }),
      await client.call('start_exploration', { ...start, dryRun: true }),
    );
    expect(dry.estimate.tokens).toBeGreaterThan(0);
    expect(dataOf(page, await client.call('list_runs', { kind: 'exploration' })).items).toEqual([]);

    const started = await Promise.all([1, 2].map(() => client.call('start_exploration', start)));
    const [one, other] = started.map((result) => dataOf(shownRun, result).run.id);
    expect(other).toBe(one);
    const run = z.string().parse(one);
    expect(codeOf(await client.call('start_exploration', { ...start, batch: 3 }))).toBe('idempotency-mismatch');
    const listed = dataOf(page, await client.call('list_runs', { kind: 'exploration' }));
    expect(listed.items.map(({ id }) => id)).toEqual([run]);

    const progress: unknown[] = [];
    await client.call('wait_for_run', { run, seconds: 1 }, (each) => progress.push(each));
    expect(progress[0]).toMatchObject({ total: 1, message: expect.stringContaining('of 2 rounds') });
    const ended = await waitFor(client, run);
    expect(ended).toMatchObject({
      run: { kind: 'exploration', status: 'completed', rounds: { done: 2, of: 2 }, tools: { of: 10 } },
    });
    expect(ended.next.join()).toContain('freeze_benchmark');
    expect(codeOf(await client.call('cancel_run', { run }))).toBe('wrong-state');

    const report = await allPages(
      (cursor) => client.call('read_tool_report', { run, limit: 4, cursor }),
      reportPage,
      (result) => dataOf(reportPage, result).tools,
    );
    expect([report.items.length, report.pages]).toEqual([10, 3]);
    expect(new Set(report.items.map(({ tool }) => tool)).size).toBe(10);

    const units = await allPages(
      (cursor) => client.call('list_units', { run, limit: 2, cursor }),
      page,
      (result) => dataOf(page, result).items,
    );
    expect([units.items.length, units.pages]).toEqual([6, 3]);
    const unit = units.items[0]?.id ?? '';
    const calls = await allPages(
      (cursor) => client.call('read_unit', { run, unit, limit: 1, cursor }),
      stepsPage,
      (result) => dataOf(stepsPage, result).steps,
    );
    expect(calls.pages).toBe(calls.items.length);
    expect(calls.items.length).toBeGreaterThan(1);
  });
});

describe('the tools of evaluations', () => {
  let bed: TestBed;
  beforeAll(async () => {
    bed = await frozen(3);
  });

  test.each(clientEras)(
    'evaluate an agent and show its figures, its cases and its calls in the era "%s"',
    async (era) => {
      const client = await open(era, bed.workspace.key);
      const benchmarks = dataOf(page, await client.call('list_benchmarks'));
      expect(benchmarks.items.map(({ id }) => id)).toEqual([bed.benchmark.id]);
      const frozenAgain = await client.call('freeze_benchmark', {
        explorations: bed.benchmark.explorations,
        privateShare: 0,
        floor: false,
      });
      expect(dataOf(z.object({ benchmark: z.looseObject({ id: z.string() }) }), frozenAgain).benchmark.id).toBe(
        bed.benchmark.id,
      );

      const start = {
        benchmark: bed.benchmark.id,
        agents: [
          { name: 'knows-nothing', loop: 'null', policy: 'call-everything' },
          { name: 'scripted', model: 'scripted' },
        ],
        judges: false,
        idempotencyKey: unique('evaluation'),
      };
      const { run } = dataOf(shownRun, await client.call('start_evaluation', start));
      expect(dataOf(shownRun, await client.call('start_evaluation', start)).run.id).toBe(run.id);
      expect((await waitFor(client, run.id)).run).toMatchObject({
        status: 'completed',
        attempts: { done: 12, of: 12 },
      });

      const results = await client.call('read_results', { run: run.id });
      const { agents } = dataOf(z.object({ agents: z.array(z.looseObject({ name: z.string() })) }), results);
      expect(agents.map(({ name }) => name)).toEqual(['knows-nothing', 'scripted']);

      const cases = await allPages(
        (cursor) => client.call('list_cases', { run: run.id, agent: 'scripted', limit: 2, cursor }),
        page,
        (result) => dataOf(page, result).items,
      );
      expect(cases.items.map(({ id, outcome }) => [id.includes('scripted'), outcome])).toEqual([
        [true, 'unscored'],
        [true, 'unscored'],
        [true, 'unscored'],
      ]);
      expect(dataOf(page, await client.call('list_cases', { run: run.id, outcome: 'failed' }))).toEqual({
        items: [],
        nextCursor: null,
      });
      const id = cases.items[0]?.id ?? '';
      const shown = await client.call('read_case', { run: run.id, case: id });
      expect(shown.structuredContent).toMatchObject({
        case: { id },
        chain: expect.arrayContaining([expect.stringContaining('/')]),
        attempts: [
          { request: 'source', end: 'answered' },
          { request: 'followUp', end: 'answered' },
        ],
      });
      const calls = await allPages(
        (cursor) => client.call('read_case', { run: run.id, case: id, limit: 1, cursor }),
        stepsPage,
        (result) => dataOf(stepsPage, result).steps,
      );
      expect(calls.pages).toBe(calls.items.length);
      expect(dataOf(reportPage, await client.call('read_tool_report', { run: run.id, agent: 'scripted' })).of).toBe(10);
    },
  );

  test.each(clientEras)(
    'show nothing of another workspace in the era "%s", and start nothing with a key that may only read',
    async (era) => {
      const [exploration] = bed.benchmark.explorations;
      const stranger = await open(era, (await newWorkspace()).key);
      for (const [name, args] of [
        ['get_run', { run: exploration }],
        ['wait_for_run', { run: exploration }],
        ['cancel_run', { run: exploration }],
        ['read_tool_report', { run: exploration }],
        ['list_units', { run: exploration }],
        ['read_unit', { run: exploration, unit: 'r0001-u00' }],
        ['freeze_benchmark', { explorations: [exploration] }],
        ['start_exploration', { catalog: bed.catalog, budget: { rounds: 1 }, idempotencyKey: 'a' }],
        ['read_results', { run: 'evl_unknown' }],
        ['list_cases', { run: 'evl_unknown' }],
        ['read_case', { run: 'evl_unknown', case: 'one' }],
      ] as const)
        expect([name, codeOf(await stranger.call(name, args))]).toEqual([name, 'not-found']);
      expect(dataOf(page, await stranger.call('list_runs', { kind: 'exploration' })).items).toEqual([]);

      const reader = await open(era, await keyFor(bed.workspace.id, 'read'));
      expect(dataOf(shownRun, await reader.call('get_run', { run: exploration })).run.status).toBe('completed');
      for (const [name, args] of [
        ['start_exploration', { catalog: bed.catalog, budget: { rounds: 1 }, idempotencyKey: 'b' }],
        ['cancel_run', { run: exploration }],
        ['freeze_benchmark', { explorations: [exploration] }],
        ['create_catalog', { servers: ['srv_1'] }],
      ] as const)
        expect([name, codeOf(await reader.call(name, args))]).toEqual([name, 'forbidden']);
      await expect(open(era, await keyFor(bed.workspace.id, 'submit'))).rejects.toThrow();
    },
  );
});
