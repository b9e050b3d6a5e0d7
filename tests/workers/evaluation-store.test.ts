import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { caseAfterStageResult, type CaseResult, type EvaluationCase } from '#core/evaluation/case.ts';
import type { CaseWorker } from '#core/evaluation/case-worker.ts';
import { EvaluationStore } from '#durable-objects/evaluation/evaluation-store.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { evaluationRunSchema } from '#durable-objects/evaluation/schema.ts';
import { begun, broken, made, traceWith } from '../unit/evaluation/cases.ts';
import { syntheticUnit } from '../../bench/results/synthetic.ts';
import { unique } from '../support/workspace.ts';

/** Runs something on the tables of an evaluation, as release 0.2.0 left them, and migrated if `upgraded`. */
const onTables = (upgraded: boolean, check: (storage: DurableObjectStorage, store: EvaluationStore) => void) =>
  runInDurableObject(env.EVALUATION_RUN.getByName(unique('store')), async (_object, { storage }) => {
    await storage.deleteAll();
    if (upgraded) migrate(storage, { ...evaluationRunSchema, migrations: evaluationRunSchema.migrations.slice(0, 1) });
    migrate(storage, evaluationRunSchema);
    check(storage, new EvaluationStore(storage.sql));
  });

const add = (store: EvaluationStore, agent: string, waits: CaseWorker, unit = unique('u'), place = 0): string => {
  const id = `${unit}.${agent}.01`;
  store.storeNewCase({ ...begun({ unit, agent, trial: 1 }), id }, waits, place);
  return id;
};

const planRow = z.object({ detail: z.string() });
/** Steps of a plan that go through a table instead of an index of those rows alone. */
const throughAll = /^SCAN (?:cases|claims|taken)(?! USING (?:COVERING )?INDEX (?:cases_|claims_))/;

/** What each statement does that a call makes. */
function plansOf({ sql }: DurableObjectStorage, call: () => void): string[] {
  const statements = vi.spyOn(sql, 'exec');
  call();
  const made = statements.mock.calls;
  statements.mockRestore();
  return made.flatMap(([statement, ...bindings]) =>
    z
      .array(planRow)
      .parse(sql.exec(`EXPLAIN QUERY PLAN ${statement}`, ...bindings).toArray())
      .map(({ detail }) => detail),
  );
}

describe.each([
  ['new tables', false],
  ['tables of release 0.2.0', true],
])('the query plan on %s', (_of, upgraded) => {
  test.each<[string, (store: EvaluationStore) => void]>([
    ['the next case for a client', (store) => store.findNextClientCaseId('one')],
    ['the next units of a submission', (store) => store.listHeldUnitIdsIfRestDone()],
    ['the next case for a lane while a server rests', (store) => store.findNextLaneCaseId(['fruit'])],
    ['whether clients have work', (store) => store.hasUnfinishedClientWork('one')],
    ['whether lanes have work', (store) => store.hasUnfinishedLaneWork()],
    ['the next cases for lanes', (store) => store.listCaseIdsFreeForLanes(10)],
    ['claims that are open', (store) => store.listOpenClaims()],
    ['giving back what was taken', (store) => store.releaseTakenCases()],
  ])('the search for %s reads no table in full', async (_what, call) => {
    await onTables(upgraded, (storage, store) => {
      const plans = plansOf(storage, () => call(store));
      expect(plans.join('\n')).toMatch(/ (?:cases|claims)/);
      expect(plans.filter((detail) => throughAll.test(detail))).toEqual([]);
    });
  });
});

describe('the next case', () => {
  test('is that of the unit with the first place, for lanes and for clients, and among equal places the first id', async () => {
    await onTables(false, (_storage, store) => {
      add(store, 'one', 'lane', 'u_1', 7);
      const early = add(store, 'one', 'lane', 'u_3', 3);
      const next = add(store, 'one', 'lane', 'u_4', 3);
      add(store, 'guest', 'client', 'u_1', 7);
      const claimable = add(store, 'guest', 'client', 'u_3', 3);
      expect(store.findNextLaneCaseId([])).toBe(early);
      expect(store.listCaseIdsFreeForLanes(2)).toEqual([early, next]);
      expect(store.findNextClientCaseId('guest')).toBe(claimable);
    });
  });

  test('is the first by id in a run of an earlier release', async () => {
    await runInDurableObject(env.EVALUATION_RUN.getByName(unique('store')), async (_object, { storage }) => {
      await storage.deleteAll();
      migrate(storage, { ...evaluationRunSchema, migrations: evaluationRunSchema.migrations.slice(0, -1) });
      for (const id of ['u_2.one.01', 'u_1.one.01'])
        storage.sql.exec("INSERT INTO cases (id, unit, agent, waits, json) VALUES (?, 'u', 'one', 'lane', '{}')", id);
      migrate(storage, evaluationRunSchema);
      expect(new EvaluationStore(storage.sql).findNextLaneCaseId([])).toBe('u_1.one.01');
    });
  });
});

describe('the units of a submission', () => {
  test('are due in their order once the others are done, some at a time', async () => {
    await onTables(false, (_storage, store) => {
      const [last, first] = [add(store, 'one', 'leaderboard', 'u_1', 7), add(store, 'one', 'leaderboard', 'u_3', 3)];
      const under = add(store, 'one', 'taken', 'u_2', 1);
      expect(store.listHeldUnitIdsIfRestDone()).toEqual([]);
      store.setCaseWorker(under, 'nobody');
      expect(store.listHeldUnitIdsIfRestDone()).toEqual(['u_3', 'u_1']);
      store.giveHeldCasesToWorker(['u_3'], 'lane');
      expect(store.findNextLaneCaseId([])).toBe(first);
      expect(store.listHeldUnitIdsIfRestDone()).toEqual([]);
      store.setCaseWorker(first, 'nobody');
      expect(store.listHeldUnitIdsIfRestDone()).toEqual(['u_1']);
      store.giveHeldCasesToWorker(['u_1'], 'client');
      expect(store.findNextClientCaseId('one')).toBe(last);
    });
  });
});

describe('a case with requests of any names', () => {
  test('is among the broken ones if a fault ended one of its attempts, with all its traces', async () => {
    await onTables(false, (_storage, store) => {
      const about = { chain: [], origins: [], judges: false };
      for (const requests of [['request'], ['concrete', 'fuzzy'], ['source', 'followUp']]) {
        const last = requests.at(-1) ?? '';
        const whole = { ...begun({ requests }), id: `whole ${last}` };
        const ends = (results: readonly CaseResult[]) =>
          results.reduce<EvaluationCase>((before, result) => caseAfterStageResult(before, result, about), whole);
        const others = requests.slice(0, -1).map((name) => made(name));
        store.storeNewCase(ends([...others, made(last)]), 'nobody', 0);
        store.storeNewCase({ ...ends([...others, broken(last), broken(last)]), id: `broken ${last}` }, 'nobody', 0);
        for (const name of requests) store.writeTrace(whole.id, name, traceWith([name]));
        expect(Object.keys(store.readTracesOfCase(whole.id)).toSorted()).toEqual(requests.toSorted());
        expect(store.readTracesOfCase(whole.id)[last]).toEqual(traceWith([last]));
      }
      expect([...store.iterateCasesBrokenByFaults()].map(({ id }) => id)).toEqual([
        'broken followUp',
        'broken fuzzy',
        'broken request',
      ]);
    });
  });
});

describe('remaining work', () => {
  test('belongs to a client while a case of its agent waits for it or is claimed', async () => {
    await onTables(false, (_storage, store) => {
      add(store, 'other', 'client');
      add(store, 'one', 'lane');
      expect(store.hasUnfinishedClientWork('one')).toBe(false);
      const id = add(store, 'one', 'client');
      expect(store.hasUnfinishedClientWork('one')).toBe(true);
      store.setCaseWorker(id, 'claimed');
      expect(store.hasUnfinishedClientWork('one')).toBe(true);
      store.setCaseWorker(id, 'nobody');
      expect(store.hasUnfinishedClientWork('one')).toBe(false);
    });
  });

  test('belongs to lanes while a case waits for them or is taken, and what is taken can be returned', async () => {
    await onTables(false, (_storage, store) => {
      add(store, 'one', 'client');
      expect(store.hasUnfinishedLaneWork()).toBe(false);
      const ids = [add(store, 'one', 'lane'), add(store, 'two', 'lane')].toSorted();
      for (const id of ids) store.setCaseWorker(id, 'taken');
      expect([store.hasUnfinishedLaneWork(), store.listCaseIdsFreeForLanes(10)]).toEqual([true, []]);
      store.releaseTakenCases();
      expect([store.hasUnfinishedLaneWork(), store.listCaseIdsFreeForLanes(10)]).toEqual([true, ids]);
      for (const id of ids) store.setCaseWorker(id, 'nobody');
      expect(store.hasUnfinishedLaneWork()).toBe(false);
    });
  });

  test('that is claimed is in the list of open claims until it is answered', async () => {
    await onTables(false, (_storage, store) => {
      const claim = {
        evaluated: add(store, 'one', 'claimed'),
        side: 'source',
        deadline: '2026-01-01',
        lease: null,
      } as const;
      store.storeNewClaim({ ...claim, attempt: 'att_1', state: 'open' }, null);
      store.storeNewClaim({ ...claim, attempt: 'att_2', state: 'expired' }, null);
      expect(store.listOpenClaims().map(({ attempt }) => attempt)).toEqual(['att_1']);
      store.setClaimState('att_1', 'answered');
      expect(store.listOpenClaims()).toEqual([]);
    });
  });
});

test('cases whose chain calls a resting server come last, for lanes and for clients', async () => {
  const unit = (id: string, ...chain: string[]) => ({ ...syntheticUnit(0), id, chain });
  await onTables(false, (_storage, store) => {
    store.storeToolsAndUnits([], [unit('u1', 'fruit/apple', 'tree/oak'), unit('u2', 'tree/oak', 'tree/elm')]);
    const [first, second] = [add(store, 'one', 'lane', 'u1'), add(store, 'one', 'lane', 'u2')];
    const [claimed, other] = [add(store, 'guest', 'client', 'u1'), add(store, 'guest', 'client', 'u2')];
    expect(store.findNextLaneCaseId([])).toBe(first);
    expect(store.findNextLaneCaseId(['fruit'])).toBe(second);
    // The name of a server is a whole name.
    expect(store.findNextLaneCaseId(['fru'])).toBe(first);
    expect(store.findNextLaneCaseId(['fruit', 'tree'])).toBe(first);
    expect(store.findNextClientCaseId('guest')).toBe(claimed);
    expect(store.findNextClientCaseId('guest', ['fruit'])).toBe(other);
    store.setCaseWorker(second, 'taken');
    expect(store.findNextLaneCaseId(['fruit'])).toBe(first);
  });
});
