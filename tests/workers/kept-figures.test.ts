import { runInDurableObject } from 'cloudflare:test';
import { defaultScoring } from '#core/scoring/parameters.ts';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { countUnitsByExpectedTransition, makeAgentTransitions } from '#core/evaluation/agent-transitions.ts';
import { makeBasisFromCases, type ResultsBasis } from '#core/evaluation/results-basis.ts';
import { breakdowns } from '#core/evaluation/breakdown-record.ts';
import { generateBreakdownGroups } from '#core/evaluation/breakdown.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { compareAgents } from '#core/evaluation/compare-agents.ts';
import { evaluationConfig, type StoredAgent } from '#core/evaluation/config.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { computeEntryFiguresAndUnitValues } from '#core/leaderboards/entry-figures.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import { makeRandom, shuffle } from '#core/values/random.ts';
import { EvaluationFigures } from '#durable-objects/evaluation/evaluation-figures.ts';
import { EvaluationMountings } from '#durable-objects/evaluation/evaluation-mountings.ts';
import { EvaluationReader } from '#durable-objects/evaluation/evaluation-reader.ts';
import { EvaluationStore } from '#durable-objects/evaluation/evaluation-store.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { evaluationRunSchema } from '#durable-objects/evaluation/schema.ts';
import { syntheticCase, syntheticTools, syntheticUnit } from '../../bench/results/synthetic.ts';
import { begun } from '../unit/evaluation/cases.ts';
import { executedIn } from '../unit/evaluation/basis.ts';
import { evaluation } from '../client/records.ts';
import { unique } from '../support/workspace.ts';

const names = ['alpha', 'beta', 'gamma'];
const trials = 2;
const units = Array.from({ length: 20 }, (_, n) => syntheticUnit(n));
const cases = units.flatMap((unit) =>
  names.flatMap((agent) => [1, 2].map((trial) => syntheticCase(unit, agent, trial, 80))),
);
const chains = new Map(units.map(({ id, chain }) => [id, chain]));
const config = evaluationConfig.parse({ benchmark: 'bm_1', trials, split: 'all', seed: 7 });
const agents = names.map((name): StoredAgent => ({
  name,
  loop: 'external',
  limits: { timeMs: 1_000, callTimeoutMs: 1_000 },
}));
const expectedOf = (own: readonly EvaluationCase[], of = units): ResultsBasis =>
  makeBasisFromCases(own, { protocol: 'sgvef', units: of, tools: syntheticTools, trials, seed: 7 });

interface Opened {
  readonly storage: DurableObjectStorage;
  readonly store: EvaluationStore;
  readonly figures: EvaluationFigures;
  readonly reader: EvaluationReader;
}

/** Opens the tables of an evaluation as they are, as an object that starts does. */
function open(storage: DurableObjectStorage): Opened {
  migrate(storage, evaluationRunSchema);
  const store = new EvaluationStore(storage.sql);
  const figures = new EvaluationFigures(storage, store, () => ({ protocol: 'sgvef', scoring: defaultScoring }));
  const mountings = new EvaluationMountings(store, () => ({ agents, config, servers: [] }));
  const creation = { id: 'evl_1', agents, offline: false, config, protocol: 'sgvef' as const };
  const basis = { creation, standing: { usage: {} } };
  return { storage, store, figures, reader: new EvaluationReader(figures, store, mountings, basis) };
}

/** Runs something on the storage of an evaluation that has units and tools, and no case. */
const onEvaluation = (check: (opened: Opened) => Promise<void>, migrations = evaluationRunSchema.migrations) =>
  runInDurableObject(env.EVALUATION_RUN.getByName(unique('figures')), async (_object, { storage }) => {
    await storage.deleteAll();
    migrate(storage, { ...evaluationRunSchema, migrations });
    new EvaluationStore(storage.sql).storeToolsAndUnits(syntheticTools, units);
    if (migrations === evaluationRunSchema.migrations) return check(open(storage));
    // As an earlier release wrote them.
    for (const each of cases)
      storage.sql.exec(
        "INSERT INTO cases (id, unit, agent, waits, json) VALUES (?, ?, ?, 'nobody', ?)",
        each.id,
        each.unit,
        each.agent,
        JSON.stringify(each),
      );
    return check(open(storage));
  });

const chainOf = (each: EvaluationCase) => chains.get(each.unit) ?? [];

async function expectFiguresOf({ reader }: Opened, own: readonly EvaluationCase[]): Promise<void> {
  const basis = expectedOf(own);
  const { agents: shown, mounted } = await reader.computeResults();
  expect(shown).toEqual(names.map((name) => makeAgentResult(name, basis)));
  expect(mounted.map(({ agent }) => agent)).toEqual(names);
  for (const { by } of breakdowns)
    expect(await reader.computeBreakdown(by)).toEqual([...generateBreakdownGroups(by, names, basis)]);
  expect(await reader.compareAgents('gamma', 'beta')).toEqual({
    ok: true,
    value: compareAgents('gamma', 'beta', basis),
  });
  const domains = new Map(syntheticTools.map(({ name, domain }) => [name, domain]));
  const transitions = names.flatMap((name) =>
    makeAgentTransitions(
      name,
      executedIn(own.filter(({ agent }) => agent === name)),
      countUnitsByExpectedTransition(units),
      domains,
    ),
  );
  expect(await reader.listAgentTransitions('', 10_000)).toEqual(transitions);
}

describe('the figures that are stored when cases commit', () => {
  test('are those of all cases, in any order and with any repetition', async () => {
    await onEvaluation(async (opened) => {
      const { figures } = opened;
      const order = shuffle(makeRandom('order'), cases);
      for (const each of order) figures.addFinishedCaseOnce(each, chainOf(each));
      for (const each of order.slice(0, 40)) figures.addFinishedCaseOnce(each, chainOf(each));
      figures.addFinishedCaseOnce(begun({ unit: units[0]?.id ?? '', agent: 'alpha', trial: 3 }), []);
      await expectFiguresOf(opened, cases);
    });
  });

  test('lead to the first failed cases of public units alone, and so does what the public reads', async () => {
    await onEvaluation(async ({ figures, store, reader }) => {
      const closed = new Set(units.filter(({ split }) => split === 'private').map(({ id }) => id));
      for (const each of cases) {
        store.storeNewCase(figures.withCaseScoresIfDone(each), 'nobody', 0);
        figures.addFinishedCaseOnce(each, chainOf(each));
      }
      expect(closed.size).toBe(2);
      const open = reader.explainFinishedPublicCases('', 1_000);
      expect(open.map((each) => each.case)).toEqual(
        cases
          .filter(({ unit }) => !closed.has(unit))
          .map(({ id }) => id)
          .toSorted(),
      );
      const rest = reader.explainFinishedPublicCases(open[9]?.case ?? '', 5).map((each) => each.case);
      expect(rest).toEqual(open.slice(10, 15).map((each) => each.case));
      const report = await reader.renderReport(evaluation(), { floor: null, judges: [] });
      for (const unit of closed) expect(report).not.toContain(unit.replaceAll('_', String.raw`\_`));
      for (const name of names) {
        const missed = open.filter(({ agent, scores }) => agent === name && scores.success?.value === 0);
        const shown = missed.filter((each) => report.includes(`**${each.case.replaceAll('_', String.raw`\_`)}**`));
        expect(shown).toEqual(missed.slice(0, 3));
      }
    });
  });

  test('change with the next case, although answers are cached', async () => {
    await onEvaluation(async (opened) => {
      const { figures, storage, reader } = opened;
      const [last, ...before] = shuffle(makeRandom('order'), cases);
      if (last === undefined) throw new Error('there are cases');
      for (const each of before) figures.addFinishedCaseOnce(each, chainOf(each));
      await expectFiguresOf(opened, before);
      const kept = () => storage.sql.exec('SELECT question FROM kept_answers ORDER BY question').toArray();
      expect(kept().map(({ question }) => question)).toContain('result alpha');
      // What is kept is what is answered: a reader of a later day gets it without computing anything.
      storage.sql.exec(`UPDATE kept_answers SET json = replace(json, '"name":"alpha"', '"name":"kept"')`);
      expect((await reader.computeResults()).agents[0]?.name).toBe('kept');
      figures.addFinishedCaseOnce(last, chainOf(last));
      expect(kept()).toEqual([]);
      await expectFiguresOf(opened, cases);
    });
  });

  test('that change while an answer is computed prevent its caching', async () => {
    await onEvaluation(async ({ figures, storage }) => {
      const [first] = cases;
      if (first === undefined) throw new Error('there are cases');
      const asked: number[] = [];
      const ask = () =>
        figures.getCachedOrComputeAnswer('what', z.int(), async () => {
          asked.push(1);
          if (asked.length === 1) figures.addFinishedCaseOnce(first, chainOf(first));
          return asked.length;
        });
      expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
      expect(storage.sql.exec('SELECT * FROM kept_answers').toArray()).toEqual([]);
      expect([await ask(), await ask(), asked.length]).toEqual([2, 2, 2]);
    });
  });

  test('are read in pages by unit and agent', async () => {
    await onEvaluation(async ({ figures, reader }) => {
      for (const each of cases) figures.addFinishedCaseOnce(each, chainOf(each));
      const all = await reader.listUnitResults('', 1_000);
      expect(all.map(({ unit, agent }) => `${unit}\n${agent}`)).toEqual(
        units.flatMap(({ id }) => names.map((name) => `${id}\n${name}`)),
      );
      const paged = [];
      for (let after = ''; ;) {
        const page = await reader.listUnitResults(after, 7);
        const last = page.at(-1);
        if (last === undefined) break;
        paged.push(...page);
        after = `${last.unit}\n${last.agent}`;
      }
      expect(paged).toEqual(all);
      const transitions = await reader.listAgentTransitions('', 10_000);
      const third = transitions[2];
      expect(await reader.listAgentTransitions([third?.agent, third?.from, third?.to].join('\n'), 5)).toEqual(
        transitions.slice(3, 8),
      );
    });
  });

  test('of an entry cover the public units, with the private ones separate', async () => {
    await onEvaluation(async ({ figures, reader }) => {
      for (const each of cases) figures.addFinishedCaseOnce(each, chainOf(each));
      const of = (split: 'public' | 'private') => {
        const own = units.filter((unit) => unit.split === split);
        const ids = new Set(own.map(({ id }) => id));
        return expectedOf(
          cases.filter(({ unit }) => ids.has(unit)),
          own,
        );
      };
      const { mounted, isolation, splits, ...scored } = await reader.computeSubmissionFigures('beta');
      expect(scored).toEqual(computeEntryFiguresAndUnitValues('beta', of('public'), of('private')));
      expect(mounted.mounting).toEqual(standardMounting);
      expect(isolation).toEqual([]);
      expect(splits?.scorer ?? 'success').toBe('success');
    });
  });
});

describe('figures of another layout', () => {
  test('are removed when the object starts, and made again from their cases', async () => {
    await onEvaluation(async (opened) => {
      for (const each of cases) {
        opened.store.storeNewCase(each, 'nobody', 0);
        opened.figures.addFinishedCaseOnce(each, chainOf(each));
      }
      await opened.reader.computeResults();
      opened.storage.sql.exec("UPDATE figures_layout SET layout = 'of fewer scorers'");
      opened.storage.sql.exec("UPDATE case_figures SET numbers = '[1]'");
      const restarted = open(opened.storage);
      await expectFiguresOf(restarted, cases);
      expect(opened.storage.sql.exec('SELECT COUNT(*) AS n FROM figures_layout').one()).toEqual({ n: 1 });
    });
  });

  test('stay as they are while the layout is the same', async () => {
    await onEvaluation(async (opened) => {
      for (const each of cases) {
        opened.store.storeNewCase(each, 'nobody', 0);
        opened.figures.addFinishedCaseOnce(each, chainOf(each));
      }
      open(opened.storage);
      expect(opened.storage.sql.exec('SELECT * FROM figures_due').toArray()).toEqual([]);
      expect(opened.storage.sql.exec('SELECT COUNT(*) AS n FROM case_figures').one()).toEqual({ n: cases.length });
    });
  });
});

describe('a run from before figures were stored', () => {
  const before = evaluationRunSchema.migrations.slice(0, 1);

  test('gets them from its cases once, for the first reader', async () => {
    await onEvaluation(async (opened) => {
      await Promise.all([opened.reader.computeResults(), opened.reader.listUnitResults('', 1)]);
      expect(opened.storage.sql.exec('SELECT * FROM figures_due').toArray()).toEqual([]);
      await expectFiguresOf(opened, cases);
    }, before);
  });

  test('continues an interrupted computation and includes new commits', async () => {
    await onEvaluation(async (opened) => {
      const [, second] = cases;
      if (second === undefined) throw new Error('there are cases');
      opened.figures.addFinishedCaseOnce(second, chainOf(second));
      // Two objects after each other, the first of which is gone after its first page.
      const cut = opened.figures.ensureAllCasesAdded();
      await expectFiguresOf(open(opened.storage), cases);
      await cut;
      await expectFiguresOf(open(opened.storage), cases);
    }, before);
  });
});
