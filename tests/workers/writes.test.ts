import { beforeAll, expect, test } from 'vitest';
import { serverRecord } from '#core/catalog/server.ts';
import { numberedWrite } from '#core/traces/writes.ts';
import { caseOf, evaluateToEnd, frozen, type TestBed } from '../support/evaluation.ts';
import { evolutionRecord } from '#core/exploration/evolution/record.ts';
import { exploreToEnd, follow } from '../support/exploration.ts';
import { expectStatus, pageOf } from '../support/workspace.ts';
import { tools } from '../support/world.ts';

/** A benchmark over one server: of its tools, one only reads. */
let bed: TestBed;

beforeAll(async () => {
  bed = await frozen(3, { servers: { notes: { tools: tools('apple', 'pear', 'plum') } } });
  const { items } = pageOf(serverRecord).parse(expectStatus(await bed.workspace.get('/v1/servers'), 200));
  const effects = { apple: 'reads', pear: 'writes' };
  expectStatus(await bed.workspace.post(`/v1/servers/${items[0]?.id}/relist`, { effects }), 200);
});

const writesOf = async (path: string) => pageOf(numberedWrite).parse(expectStatus(await bed.workspace.get(path), 200));

test('an evaluation lists the calls that may have changed something, page by page', async () => {
  const { run, cases } = await evaluateToEnd(bed, ['steady'], { trials: 2, catalog: 'current' });
  const details = await Promise.all(cases.map(({ id }) => caseOf(bed, run, id)));
  const called = details.flatMap(({ traces }) => [traces.source, traces.followUp]).flatMap((each) => each?.steps ?? []);
  const wrote = called.filter(({ tool }) => tool !== 'notes/apple');
  expect(wrote.length).toBeGreaterThan(0);
  expect(wrote.map(({ effect }) => effect)).toEqual(
    wrote.map(({ tool }) => (tool === 'notes/pear' ? 'writes' : 'unknown')),
  );
  const { items } = await writesOf(`/v1/evaluations/${run}/writes`);
  expect(items.map(({ tool }) => tool).toSorted()).toEqual(wrote.map(({ tool }) => tool).toSorted());
  expect(items.map(({ n }) => n)).toEqual(items.map((_, index) => index + 1));
  expect(new Set(items.map(({ of }) => of)).size).toBeLessThanOrEqual(cases.length);
  const first = await writesOf(`/v1/evaluations/${run}/writes?limit=2`);
  expect(first).toEqual({ items: items.slice(0, 2), nextCursor: '2' });
  expect((await writesOf(`/v1/evaluations/${run}/writes?limit=500&cursor=2`)).items).toEqual(items.slice(2));
});

test('an evaluation ends when its budget of writing calls is used up', async () => {
  const { run, record } = await evaluateToEnd(bed, ['steady'], {
    catalog: 'current',
    trials: 5,
    concurrency: 1,
    budget: { writes: 3 },
  });
  expect(record).toMatchObject({ status: 'completed', reason: 'budget: writes used up' });
  const { items } = await writesOf(`/v1/evaluations/${run}/writes`);
  expect(items.length).toBeGreaterThanOrEqual(3);
  // The attempt that used it up is made to its end.
  expect(new Set(items.slice(3).map(({ of, request }) => `${of} ${request}`)).size).toBeLessThanOrEqual(1);
});

test('an exploration lists them too, and ends when its budget of them is used up', async () => {
  const { run, record } = await exploreToEnd(bed, {
    batch: 2,
    rounds: 20,
    more: { budget: { writes: 2, rounds: 20 } },
  });
  expect(record).toMatchObject({ status: 'completed', reason: 'budget: writes used up' });
  const { items } = await writesOf(`/v1/explorations/${run}/writes`);
  expect(items.length).toBeGreaterThanOrEqual(2);
  expect(items.every(({ tool }) => tool.startsWith('notes/'))).toBe(true);
});

test('an evolution ends when its own budget of them is used up, whatever its exploration and earlier evolutions wrote', async () => {
  const { run } = await exploreToEnd(bed, { rounds: 1, batch: 4 });
  const path = `/v1/explorations/${run}/evolutions`;
  const before = (await writesOf(`/v1/explorations/${run}/writes?limit=500`)).items.length;
  expect(before).toBeGreaterThan(2);
  for (const number of [1, 2]) {
    const body = { targetUnits: 100, batch: 1, minYield: 0, budget: { writes: 2 } };
    expectStatus(await bed.workspace.post(path, body), 202);
    await follow(bed.workspace.key, `${run}/evolutions/${number}`);
    const { items } = await writesOf(`/v1/explorations/${run}/writes?limit=500`);
    const own = items.filter(({ of }) => of.startsWith(`e0${number}-`));
    const record = evolutionRecord.parse(expectStatus(await bed.workspace.get(`${path}/${number}`), 200));
    expect(record).toMatchObject({ status: 'completed', reason: 'budget: writes used up' });
    expect(own.length).toBeGreaterThanOrEqual(2);
    // Until the last batch there were fewer, whatever was written before.
    const last = own.at(-1)?.of;
    expect(own.filter(({ of }) => of !== last).length).toBeLessThan(2);
  }
});
