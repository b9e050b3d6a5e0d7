import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogRecord, serverRecord } from '#core/catalog/server.ts';
import { evaluateToEnd, withRules, type TestBed } from '../support/evaluation.ts';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { exploreToEnd } from '../support/exploration.ts';
import { expectStatus, newWorkspace, problemOf } from '../support/workspace.ts';
import { startModel, startServer } from '../support/world.ts';

const tools = [
  { name: 'apple', annotations: { readOnlyHint: true } },
  { name: 'pear', annotations: { readOnlyHint: true } },
  { name: 'plum', annotations: { readOnlyHint: false, destructiveHint: false } },
  { name: 'quince', annotations: { destructiveHint: true } },
  { name: 'sorrel' },
];

const catalogTools = z.object({ tools: z.array(z.object({ name: z.string() })) });

async function registered(more: Readonly<Record<string, unknown>> = {}) {
  const workspace = await newWorkspace();
  const outside = await startServer({ tools });
  const body = { name: 'fruit', domain: 'testing', url: outside.url, ...more };
  const server = serverRecord.parse(expectStatus(await workspace.post('/v1/servers', body), 201));
  const freeze = (selection: Readonly<Record<string, unknown>> = {}) =>
    workspace.post('/v1/catalogs', { servers: [server.id], ...selection });
  const namesIn = async (id: string): Promise<string[]> => {
    const { tools: taken } = catalogTools.parse((await workspace.get(`/v1/catalogs/${id}`)).body);
    return taken.map(({ name }) => name);
  };
  return { workspace, outside, server, freeze, namesIn };
}

describe('a new server', () => {
  test('is only read from, unless its owner says otherwise', async () => {
    const { server, freeze, namesIn } = await registered();
    expect(server).toMatchObject({
      allows: 'reads',
      tools: 5,
      effects: { reads: 2, writes: 1, destroys: 1, unknown: 1 },
    });
    const catalog = catalogRecord.parse(expectStatus(await freeze(), 201));
    expect(catalog).toMatchObject({ tools: 2, aboveLimit: 3, effects: { reads: 2, writes: 0 } });
    expect(await namesIn(catalog.id)).toEqual(['fruit/apple', 'fruit/pear']);
  });

  test('may allow more, and may say what its tools do', async () => {
    const { server, freeze, namesIn } = await registered({
      allows: 'writes',
      effects: { quince: 'reads', apple: 'destroys' },
    });
    expect(server.effects).toEqual({ reads: 2, writes: 1, destroys: 1, unknown: 1 });
    const catalog = catalogRecord.parse(expectStatus(await freeze(), 201));
    expect(await namesIn(catalog.id)).toEqual(['fruit/pear', 'fruit/plum', 'fruit/quince', 'fruit/sorrel']);
    const read = catalogRecord.parse(expectStatus(await freeze({ upTo: 'reads', exclude: ['fruit/pear'] }), 201));
    expect(await namesIn(read.id)).toEqual(['fruit/quince']);
  });

  test('is refused with effects of tools that it does not list', async () => {
    const workspace = await newWorkspace();
    const { url } = await startServer({ tools });
    const answer = await workspace.post('/v1/servers', {
      name: 'fruit',
      domain: 'a',
      url,
      effects: { melon: 'reads' },
    });
    expect(problemOf(answer)).toEqual([400, 'invalid-request']);
    expect(answer.body).toMatchObject({ detail: 'effects: the server lists no tool melon' });
  });
});

test('a server with a broken tool is registered without it, and says which', async () => {
  const workspace = await newWorkspace();
  const { url } = await startServer({ tools: [...tools, { name: 'torn', inputSchema: { type: 'array' } }] });
  const answer = await workspace.post('/v1/servers', { name: 'fruit', domain: 'a', url });
  const server = serverRecord.parse(expectStatus(answer, 201));
  expect(server).toMatchObject({
    tools: 5,
    leftOut: [{ tool: 'torn', problem: expect.stringContaining('input schema') }],
  });
  const whole = serverRecord.parse(expectStatus(await workspace.post(`/v1/servers/${server.id}/relist`, {}), 200));
  expect(whole.leftOut).toEqual(server.leftOut);
});

test('a new listing changes the limit and keeps the corrections', async () => {
  const { workspace, server, freeze, namesIn } = await registered({ effects: { sorrel: 'reads' } });
  const relist = async (body: Readonly<Record<string, unknown>>) =>
    serverRecord.parse(expectStatus(await workspace.post(`/v1/servers/${server.id}/relist`, body), 200));
  expect(await relist({ effects: { plum: 'reads' } })).toMatchObject({ allows: 'reads', effects: { reads: 4 } });
  expect(await relist({ allows: 'destroys' })).toMatchObject({
    allows: 'destroys',
    effects: { reads: 4, destroys: 1 },
  });
  const catalog = catalogRecord.parse(expectStatus(await freeze(), 201));
  expect(await namesIn(catalog.id)).toHaveLength(5);
});

test.each([
  [{ include: ['fruit/plum'] }, [422, 'nothing-allowed']],
  [{ include: ['fruit/melon'] }, [404, 'not-found']],
  [{ include: [] }, [400, 'invalid-request']],
  [{ upTo: 'anything' }, [400, 'invalid-request']],
] as const)('a catalog with %j is refused', async (selection, problem) => {
  const { freeze } = await registered();
  expect(problemOf(await freeze(selection))).toEqual(problem);
});

test('runs over a catalog of an owner who later lowered the limit call nothing that does more', async () => {
  const { workspace, outside, server, freeze } = await registered({ allows: 'destroys' });
  const { id: catalog } = catalogRecord.parse(expectStatus(await freeze(), 201));
  const ground = { workspace, catalog, model: await startModel([]), servers: { fruit: outside } };
  const { run, record } = await exploreToEnd(ground, { batch: 3 });
  expect(record.status).toBe('completed');
  const answer = await workspace.post('/v1/benchmarks', { explorations: [run], privateShare: 0, floor: false });
  const benchmark = benchmarkRecord.parse(expectStatus(answer, 201));
  expectStatus(await workspace.post(`/v1/servers/${server.id}/relist`, { allows: 'reads' }), 200);
  const calledBefore = await calls(outside);
  expect(calledBefore.some((name) => !['apple', 'pear'].includes(name))).toBe(true);

  const bed: TestBed = { ...(await withRules({ ...ground, benchmark })), benchmark };
  const { record: evaluated } = await evaluateToEnd(bed, ['solver'], { mounting: { kind: 'max-scale' } });
  expect(evaluated.status).toBe('completed');
  const calledAfter = (await calls(outside)).slice(calledBefore.length);
  expect(calledAfter.length).toBeGreaterThan(0);
  expect(calledAfter.filter((name) => !['apple', 'pear'].includes(name))).toEqual([]);
});

test('an evaluation does not mind the tools that the catalog of its benchmark left out, and shows them to nobody', async () => {
  const { workspace, outside, freeze } = await registered({ effects: { sorrel: 'reads' } });
  const { id: catalog } = catalogRecord.parse(expectStatus(await freeze({ exclude: ['fruit/sorrel'] }), 201));
  const ground = { workspace, catalog, model: await startModel([]), servers: { fruit: outside } };
  const { run } = await exploreToEnd(ground, { batch: 1 });
  const answer = await workspace.post('/v1/benchmarks', { explorations: [run], privateShare: 0, floor: false });
  const benchmark = benchmarkRecord.parse(expectStatus(answer, 201));
  const functionsSeen = async (more: Readonly<Record<string, unknown>>): Promise<string[]> => {
    const bed: TestBed = { ...(await withRules({ ...ground, benchmark })), benchmark };
    const { record } = await evaluateToEnd(bed, ['solver'], {
      mounting: { kind: 'max-scale' },
      judges: false,
      ...more,
    });
    expect(record.status).toBe('completed');
    return [...new Set((await bed.model.asked()).flatMap(({ functions }) => functions))].toSorted();
  };
  expect(await functionsSeen({})).toEqual(['fruit__apple', 'fruit__pear']);
  expect(await functionsSeen({ catalog: 'current' })).toEqual(['fruit__apple', 'fruit__pear', 'fruit__sorrel']);
});

/** The tools that were called on a server, in order. */
const calls = async (outside: Awaited<ReturnType<typeof startServer>>): Promise<string[]> =>
  (await outside.log()).calls.map(({ tool }) => tool);
