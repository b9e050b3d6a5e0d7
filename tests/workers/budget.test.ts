import { expect, test } from 'vitest';
import type { Usage } from '#core/models/usage.ts';
import { evaluateToEnd, frozen, withRules } from '../support/evaluation.ts';
import { unitsCommitted } from '../support/exploration-state.ts';
import { explore, follow, prepare, recordOf, unitsOf } from '../support/exploration.ts';

const limit = 0.05;

test('an exploration starts units only while its budget in dollars has room for them, and overruns it by less than one unit each', async () => {
  const ground = await prepare();
  const run = await explore(ground, { batch: 10, more: { budget: { rounds: 10, costUsd: limit } } });
  await follow(ground.workspace.key, run);
  const [record, units] = await Promise.all([recordOf(ground, run), unitsOf(ground, run)]);
  expect(record).toMatchObject({ status: 'completed', reason: 'budget: costUsd used up' });
  expect(record.prices.map(({ of, source }) => [of, source])).toEqual([
    ['writer', null],
    ['critic', null],
    ['agent', null],
  ]);
  expect(unitsCommitted(record.units)).toBe(units.length);
  // The first round shows what a unit costs.
  expect(units.filter(({ round }) => round === 1)).toHaveLength(2);
  const last = units.filter(({ round }) => round === record.rounds);
  const before = units.filter(({ round }) => round < record.rounds).reduce((sum, { usage }) => sum + usage.costUsd, 0);
  expect(before).toBeLessThan(limit);
  const dearest = Math.max(...units.map(({ usage }) => usage.costUsd));
  expect(record.usage.costUsd).toBeGreaterThanOrEqual(limit);
  expect(record.usage.costUsd - limit).toBeLessThan(last.length * dearest);
  expect(record.usage.costUsd - limit).toBeLessThan(2 * dearest);
});

test('an evaluation takes cases only while its budget in dollars has room for them, and overruns it by less than one case for each lane', async () => {
  const bed = await withRules(await frozen(3));
  const agents = ['one', 'two', 'three', 'four'];
  const whole = await evaluateToEnd(bed, agents, { concurrency: 4 });
  const costOf = ({ usage, judgeUsage }: { readonly usage: Usage; readonly judgeUsage: Usage }): number =>
    usage.costUsd + judgeUsage.costUsd;
  const perCase = costOf(whole.record) / whole.cases.length;
  expect(costOf(whole.record)).toBeGreaterThan(3 * limit);
  const { record, cases } = await evaluateToEnd(bed, agents, { concurrency: 4, budget: { costUsd: limit } });
  expect(record).toMatchObject({ status: 'completed', reason: 'budget: costUsd used up' });
  expect(costOf(record)).toBeGreaterThanOrEqual(limit);
  expect(costOf(record) - limit).toBeLessThan(4 * perCase);
  expect(
    cases.filter(({ stage, attempts }) => stage.kind !== 'attempt' || Object.keys(attempts).length > 0).length,
  ).toBeLessThan(Math.ceil(limit / perCase) + 4);
});
