import { env } from 'cloudflare:workers';
import { evictDurableObject, introspectWorkflowInstance } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pairUnit } from '#core/benchmarks/benchmark.ts';
import type { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import { evolutionRecord, type EvolutionRecord } from '#core/exploration/evolution/record.ts';
import { stubWithParts } from '../support/platform/parts.ts';
import { exploreToEnd, follow, prepare, recordOf, wholeUnitsOf, type Ground } from '../support/exploration.ts';
import { expectStatus, pageOf, problemOf } from '../support/workspace.ts';

const path = (run: string, number?: number): string =>
  `/v1/explorations/${run}/evolutions${number === undefined ? '' : `/${number}`}`;

async function evolve(
  { workspace }: Ground,
  run: string,
  body: Record<string, unknown> = {},
): Promise<EvolutionRecord> {
  return evolutionRecord.parse(expectStatus(await workspace.post(path(run), body), 202));
}

/** Follows an evolution to its end. */
async function evolved(ground: Ground, run: string, number = 1) {
  const { events } = await follow(ground.workspace.key, `${run}/evolutions/${number}`);
  const record = evolutionRecord.parse(expectStatus(await ground.workspace.get(path(run, number)), 200));
  const units = (await wholeUnitsOf(ground, run)).filter(({ unit }) => unit.lineage !== null);
  return { events, record, units: units.map(({ unit }) => unit) };
}

describe('an evolution', () => {
  test('compares the accepted units, writes variants of them, and adds half as many again', async () => {
    const ground = await prepare();
    const { run, record: before } = await exploreToEnd(ground, { rounds: 2, batch: 4 });
    expect(before.units.accepted).toBe(8);
    const begun = await evolve(ground, run, { batch: 3 });
    expect(begun).toMatchObject({ number: 1, status: 'running', compared: 0, batches: 0 });
    const { record, units, events } = await evolved(ground, run);
    expect(record).toMatchObject({ status: 'completed', reason: 'target reached', compared: 8, comparedByWords: 0 });
    expect(record.target).toBe(Math.ceil(1.5 * (8 - record.duplicatesFound)));
    expect(record.kept).toBeGreaterThanOrEqual(record.target);
    expect(record.variants.accepted).toBe(
      units.filter(({ stage }) => stage.kind === 'done' && stage.status === 'accepted').length,
    );
    expect(Object.values(record.variants).reduce((sum, count) => sum + count, 0)).toBe(units.length);
    expect(record.usage.calls).toBeGreaterThan(0);
    for (const { lineage, pair, stage } of units) {
      expect(lineage?.evolution).toBe(1);
      if (stage.kind === 'done' && stage.status === 'accepted') expect(pair?.chain.length).toBeGreaterThan(1);
    }
    expect(new Set(units.map(({ lineage }) => lineage?.kind)).size).toBeGreaterThan(1);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)?.event.type).toBe('run.ended');
    // The estimates of the exploration are its own: variants are written on purpose, and would spoil them.
    const after = await recordOf(ground, run);
    expect({ ...after, usage: null }).toEqual({ ...before, usage: null });
    const frozen = await ground.workspace.post('/v1/benchmarks', { explorations: [run], floor: false });
    expect(expectStatus(frozen, 201)).toMatchObject({ units: record.kept });
    const { id } = z.object({ id: z.string() }).parse(frozen.body);
    const listed = pageOf(pairUnit).parse((await ground.workspace.get(`/v1/benchmarks/${id}/units`)).body).items;
    // A variant is known by where it comes from; what was explored looks as ever.
    for (const { provenance } of listed)
      expect(provenance.lineage !== undefined).toBe(provenance.unit.startsWith('e01-'));
  });

  test('drops near-duplicates of kept units', async () => {
    const ground = await prepare();
    // Under this strategy the first unit's tools are among those that its variants are given.
    const { run } = await exploreToEnd(ground, { rounds: 1, batch: 4, more: { strategy: 'sgvef' } });
    const stub = env.EXPLORATION_RUN.getByName(run);
    // Every variant says what its seed says.
    const [seed] = (await wholeUnitsOf(ground, run)).filter(({ unit }) => !unit.probe);
    const {
      source,
      followUp,
      chain,
      arguments: origins,
    } = seed?.unit.pair ?? { source: '', followUp: '', chain: [], arguments: [] };
    await ground.model.script([
      {
        form: 'metamorphic-pair',
        behaviour: {
          kind: 'content',
          content: JSON.stringify({ pair: { source, followUp, chain, arguments: origins, facts: [] }, why: 'again' }),
        },
      },
    ]);
    await evolve(ground, run, { batch: 3, budget: { batches: 2 }, minYield: 0 });
    const { record, units } = await evolved(ground, run);
    expect(record.variants.accepted).toBe(0);
    const ends = units.map(({ stage }) => (stage.kind === 'done' ? stage.status : stage.kind));
    expect(ends.filter((end) => end === 'duplicate').length).toBe(record.variants.duplicate);
    expect(record.variants.duplicate).toBeGreaterThan(0);
    const duplicate = units.find(({ duplicateOf }) => duplicateOf !== null);
    expect(duplicate?.duplicateOf?.unit).toBe(seed?.unit.id);
    expect(duplicate?.executions).toEqual({ source: null, followUp: null });
    const offering: RpcOf<ExplorationRun, 'listUnitsForBenchmark'> = stub;
    expect(await offering.listUnitsForBenchmark('', 100)).toHaveLength(record.kept);
  });

  test('stops when too few variants are accepted, and at its budget', async () => {
    const ground = await prepare();
    const { run } = await exploreToEnd(ground, { rounds: 1, batch: 4 });
    await ground.model.script([{ form: 'variant', behaviour: { kind: 'none' } }]);
    await evolve(ground, run, { batch: 2 });
    const { record } = await evolved(ground, run);
    expect(record).toMatchObject({ status: 'completed', batches: 2, variants: { lost: 4 } });
    expect(record.reason).toMatch(/^yield: 0 of the last 4/);
    await evolve(ground, run, { batch: 2, minYield: 0, budget: { batches: 3 } });
    expect((await evolved(ground, run, 2)).record).toMatchObject({
      number: 2,
      batches: 3,
      reason: 'budget: batches used up',
    });
  });

  test('continues under a new driver without writing or paying for anything twice', async () => {
    const ground = await prepare();
    const { run } = await exploreToEnd(ground, { rounds: 1, batch: 4 });
    await evolve(ground, run, { batch: 2 });
    const stub = env.EXPLORATION_RUN.getByName(run);
    await follow(ground.workspace.key, `${run}/evolutions/1`, { enough: ({ event }) => event.type === 'unit.written' });
    await stubWithParts(stub).evolutions.wake(1, true);
    const { record, units, events } = await evolved(ground, run);
    expect(record.status).toBe('completed');
    expect(new Set(units.map(({ id }) => id)).size).toBe(units.length);
    const ended = events.filter(({ event }) => event.type === 'unit.ended');
    expect(ended.length).toBe(units.length);
    await evictDurableObject(stub);
    expect(evolutionRecord.parse(expectStatus(await ground.workspace.get(path(run, 1)), 200))).toEqual(record);
  });

  test('can be paused, resumed and cancelled, and repeated calls change nothing', async () => {
    const ground = await prepare();
    const { run } = await exploreToEnd(ground, { rounds: 1, batch: 4 });
    await ground.model.script([{ form: 'variant', behaviour: { kind: 'slow', ms: 300 } }]);
    const key = { headers: { 'idempotency-key': 'once' } };
    const first = expectStatus(await ground.workspace.post(path(run), { batch: 2 }, key), 202);
    expect(expectStatus(await ground.workspace.post(path(run), { batch: 2 }, key), 202)).toMatchObject({ number: 1 });
    expect(first).toMatchObject({ number: 1 });
    expect(problemOf(await ground.workspace.post(path(run), { batch: 3 }, key))).toEqual([422, 'idempotency-mismatch']);
    expect(problemOf(await ground.workspace.post(path(run), {}))).toEqual([409, 'wrong-state']);
    expect(expectStatus(await ground.workspace.post(`${path(run, 1)}/pause`), 200)).toMatchObject({ status: 'paused' });
    expect(expectStatus(await ground.workspace.post(`${path(run, 1)}/resume`), 200)).toMatchObject({
      status: 'running',
    });
    expect(expectStatus(await ground.workspace.post(`${path(run, 1)}/cancel`), 200)).toMatchObject({
      status: 'cancelled',
    });
    expect(expectStatus(await ground.workspace.get(path(run)), 200)).toMatchObject({ items: [{ number: 1 }] });
  });

  test('has doubtful variants reviewed: an approved one is compared, executed and counted once', async () => {
    const ground = await prepare();
    const { run } = await exploreToEnd(ground, { rounds: 1, batch: 4 });
    await ground.model.script([
      { form: 'audit', behaviour: { kind: 'grades', semanticEquivalence: 87, parameterSolvability: 95 } },
    ]);
    await evolve(ground, run, { batch: 2, budget: { batches: 1 } });
    const { record, units } = await evolved(ground, run);
    const [waiting] = units.filter(({ stage }) => stage.kind === 'done' && stage.status === 'review');
    expect(record.variants.review).toBeGreaterThan(0);
    const decision = `/v1/reviews/${run}/${waiting?.id}/decision`;
    expectStatus(await ground.workspace.post(decision, { decision: 'approve' }), 200);
    await expect
      .poll(async () => expectStatus(await ground.workspace.get(path(run, 1)), 200), { timeout: 10_000 })
      .toMatchObject({ variants: { review: record.variants.review - 1, accepted: record.variants.accepted + 1 } });
    const [done] = (await wholeUnitsOf(ground, run)).filter(({ unit }) => unit.id === waiting?.id);
    expect(done?.unit.stage).toMatchObject({ status: 'accepted' });
    expect(done?.traces.followUp).not.toBeNull();
  });

  test('compares units by tools and words if the index cannot be reached, reports that, and loses nothing', async () => {
    const ground = await prepare();
    const { run } = await exploreToEnd(ground, { rounds: 1, batch: 4 });
    const driver = await introspectWorkflowInstance(env.EVOLUTION_WORKFLOW, `${run}-e1-1`);
    await driver.modify((m) =>
      m.mockStepResult({ name: 'turn 1: open' }, { next: { kind: 'stop', why: 'over' }, requests: 0 }),
    );
    await evolve(ground, run);
    await driver.waitForStatus('complete');
    const { evolutions } = stubWithParts(env.EXPLORATION_RUN.getByName(run));
    expect(await evolutions.openNextWorkOrEnd(1, 1)).toEqual({ kind: 'compare-explored' });
    const opened = await evolutions.openExploredUnitsToCompare(1, 1);
    if (opened.kind !== 'part') throw new Error(opened.kind);
    const part = { units: opened.units.map(({ unit }) => unit), to: opened.to };
    const fault = { code: 'unreachable', detail: 'index units: no connection' };
    await evolutions.keepExploredOrMarkDuplicates(1, 1, part, { comparisons: [], fault, calls: [] });
    // Again, as a step that runs twice does.
    await evolutions.keepExploredOrMarkDuplicates(1, 1, part, { comparisons: [], fault, calls: [] });
    const record = await evolutions.get(1);
    expect(record).toMatchObject({ value: { compared: 4, comparedByWords: 4, target: expect.any(Number) } });
    const { events } = await follow(ground.workspace.key, `${run}/evolutions/1`, {
      enough: ({ event }) => event.type === 'units.compared',
    });
    expect(events.map(({ event }) => event.type)).toEqual(['run.created', 'comparison.unavailable', 'units.compared']);
    expect(await evolutions.openNextWorkOrEnd(1, 1)).toMatchObject({ kind: 'shards', batch: 1, phase: 'write' });
    // Left open, it would get a new driver when runs are woken.
    expectStatus(await ground.workspace.post(`${path(run, 1)}/cancel`), 200);
    await driver.dispose();
  });

  test('needs a finished run with accepted units', async () => {
    const ground = await prepare({ rules: [{ form: 'scenario', behaviour: { kind: 'none' } }] });
    const { run } = await exploreToEnd(ground);
    expect(problemOf(await ground.workspace.post(path(run), {}))).toEqual([422, 'nothing-to-evolve']);
    expect(problemOf(await ground.workspace.post(path('exp_none'), {}))).toEqual([404, 'not-found']);
    expect(problemOf(await ground.workspace.get(path(run, 1)))).toEqual([404, 'not-found']);
    expect(problemOf(await ground.workspace.post(path(run), { targetUnits: 0 }))).toEqual([400, 'invalid-request']);
  });
});
