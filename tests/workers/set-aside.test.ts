import { introspectWorkflow } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EvaluationStore } from '#durable-objects/evaluation/evaluation-store.ts';
import { ExplorationStore } from '#durable-objects/exploration/exploration-store.ts';
import { board, received, settled, submitter, uploadTraces } from '../support/board.ts';
import { evaluateToEnd, frozen } from '../support/evaluation.ts';
import { endOf, exploreToEnd, follow, prepare, wholeUnitsOf } from '../support/exploration.ts';
import { expectStatus } from '../support/workspace.ts';

afterEach(() => vi.restoreAllMocks());

const tooBig = 'string or blob too big: SQLITE_TOOBIG';

/** Makes storage refuse the traces of some units, as it refuses a row that is too large. Returns how often it did. */
function refuseTracesOf(store: { writeTrace(id: string, ...rest: never[]): void }, ids: (id: string) => boolean) {
  const written = store.writeTrace;
  let refused = 0;
  vi.spyOn(store, 'writeTrace').mockImplementation(function (this: unknown, id: string, ...rest: never[]) {
    if (ids(id)) {
      refused += 1;
      throw new Error(tooBig);
    }
    Reflect.apply(written, this, [id, ...rest]);
  });
  return () => refused;
}

describe('what cannot be driven is set aside:', () => {
  test('a unit whose result cannot be stored is dropped with the reason, and the run completes', async () => {
    await using workflow = await introspectWorkflow(env.UNIT_SHARD_WORKFLOW);
    await workflow.modifyAll((m) => m.disableRetryDelays());
    const refused = refuseTracesOf(ExplorationStore.prototype, (id) => id === 'r0001-u01');
    const ground = await prepare();
    const { record, units, events } = await exploreToEnd(ground, { rounds: 2, batch: 3 });
    expect(refused()).toBe(6);
    expect(record).toMatchObject({ status: 'completed', rounds: 2, units: { accepted: 5, dropped: 1, probes: 2 } });
    const [poisoned] = units.filter(({ unit }) => unit.id === 'r0001-u01');
    expect(poisoned?.unit).toMatchObject({
      stage: { status: 'dropped', reason: `service execution: internal: ${tooBig}` },
      faults: [{ where: 'service', name: 'execution', code: 'internal', detail: tooBig }],
    });
    expect(events.filter(({ event }) => event.type === 'unit.ended' && event.unit === 'r0001-u01')).toHaveLength(1);
    // No server is to blame.
    expect(events.filter(({ event }) => event.type === 'server.down')).toEqual([]);
  });

  test('a case whose result cannot be stored is not evaluated, and the evaluation completes', async () => {
    const bed = await frozen(3);
    await using workflow = await introspectWorkflow(env.EVALUATION_SHARD_WORKFLOW);
    await workflow.modifyAll((m) => m.disableRetryDelays());
    let poison = '';
    const written = EvaluationStore.prototype.writeTrace;
    vi.spyOn(EvaluationStore.prototype, 'writeTrace').mockImplementation(function (
      this: EvaluationStore,
      id,
      side,
      of,
    ) {
      if (poison === '') poison = id;
      // What says that it was set aside is small, and can be stored.
      if (id === poison && of.turns > 0) throw new Error(tooBig);
      Reflect.apply(written, this, [id, side, of]);
    });
    const { record, cases, events, results } = await evaluateToEnd(bed, ['one'], { trials: 2, concurrency: 4 });
    expect(record).toMatchObject({
      status: 'completed',
      reason: 'all attempts were made',
      progress: { attempts: 12, made: 12, notEvaluated: 2, units: 3, unitsDone: 3 },
    });
    const [poisoned] = cases.filter(({ id }) => id === poison);
    const fault = { where: 'service', name: 'attempt', code: 'internal', detail: tooBig };
    expect(poisoned).toMatchObject({
      stage: { kind: 'done' },
      attempts: { source: { evaluated: false, fault }, followUp: { evaluated: false, fault } },
    });
    const aside = events.flatMap(({ event }) => (event.type === 'case.set-aside' ? [event] : []));
    expect(aside.map(({ case: id, side, detail }) => [id, side, detail])).toEqual([
      [poison, 'source', tooBig],
      [poison, 'followUp', tooBig],
    ]);
    expect(results('one').unscoredReasons).toMatchObject({ tcs: { 'not-evaluated': 2 } });
  });

  test('a failed judgement leaves its scores out, and the evaluation completes', async () => {
    const bed = await frozen(2);
    await using workflow = await introspectWorkflow(env.EVALUATION_SHARD_WORKFLOW);
    await workflow.modifyAll((m) => m.disableRetryDelays());
    let poison = '';
    const write = EvaluationStore.prototype.updateCase;
    vi.spyOn(EvaluationStore.prototype, 'updateCase').mockImplementation(function (this: EvaluationStore, each, waits) {
      const judged = typeof each.attempts['source']?.scores.ar.value === 'number';
      if (poison === '' && judged) poison = each.id;
      if (each.id === poison && judged) throw new Error(tooBig);
      Reflect.apply(write, this, [each, waits]);
    });
    const { record, cases, results } = await evaluateToEnd(bed, ['one'], { trials: 1 });
    expect(record).toMatchObject({ status: 'completed', progress: { made: 4, notEvaluated: 0, unitsDone: 2 } });
    const [poisoned] = cases.filter(({ id }) => id === poison);
    expect(poisoned?.attempts.source?.scores).toMatchObject({
      tcs: { value: 1 },
      ar: { value: null, reason: 'internal' },
      uic: { value: null, reason: 'internal' },
    });
    expect(results('one').unscoredReasons).toMatchObject({ ar: { internal: 2 } });
  });

  test('a variant whose result cannot be stored is dropped, and the evolution completes', async () => {
    const ground = await prepare();
    const { run } = await exploreToEnd(ground, { batch: 4 });
    await using workflow = await introspectWorkflow(env.UNIT_SHARD_WORKFLOW);
    await workflow.modifyAll((m) => m.disableRetryDelays());
    refuseTracesOf(ExplorationStore.prototype, (id) => id.endsWith('v01'));
    const path = `/v1/explorations/${run}/evolutions`;
    expectStatus(await ground.workspace.post(path, { batch: 3, budget: { batches: 1 } }), 202);
    await follow(ground.workspace.key, `${run}/evolutions/1`);
    expect(expectStatus(await ground.workspace.get(`${path}/1`), 200)).toMatchObject({
      status: 'completed',
      variants: { dropped: 1 },
    });
    const units = (await wholeUnitsOf(ground, run)).map(({ unit }) => unit);
    const [poisoned] = units.filter(({ lineage, id }) => lineage !== null && id.endsWith('v01'));
    expect(poisoned && endOf(poisoned)).toMatchObject({ status: 'dropped', reason: expect.stringContaining(tooBig) });
  });
});

test('an unusable line of a submission is not evaluated, the others are, and it is published', async () => {
  const bed = await board({ units: 6, trials: 2 });
  const guest = await submitter();
  const { run } = await evaluateToEnd(bed, ['steady'], { trials: 2 });
  const file = String(expectStatus(await bed.workspace.get(`/v1/evaluations/${run}/traces?agent=steady`), 200));
  await using workflow = await introspectWorkflow(env.SUBMISSION_WORKFLOW);
  await workflow.modifyAll((m) => m.disableRetryDelays());
  let poison = '';
  const written = EvaluationStore.prototype.writeTrace;
  vi.spyOn(EvaluationStore.prototype, 'writeTrace').mockImplementation(function (this: EvaluationStore, id, side, of) {
    if (poison === '') poison = id;
    if (id === poison && side === 'source' && of.turns > 0) throw new Error(tooBig);
    Reflect.apply(written, this, [id, side, of]);
  });
  const { id } = received(await uploadTraces(guest, bed, 'Brought', file));
  const { record } = await settled(guest, id);
  expect(poison).not.toBe('');
  expect(record).toMatchObject({
    state: 'published',
    progress: { attempts: 24, made: 24, notEvaluated: 1, units: 6, unitsDone: 6 },
  });
});
