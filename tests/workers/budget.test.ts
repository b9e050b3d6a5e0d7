import { expect, test } from 'vitest';
import { z } from 'zod';
import { costEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import type { Usage } from '#core/models/usage.ts';
import { evaluateToEnd, frozen, withRules } from '../support/evaluation.ts';
import { unitsCommitted } from '../support/exploration-state.ts';
import { explore, follow, prepare, recordOf, runBody, unitsOf } from '../support/exploration.ts';
import { expectStatus } from '../support/workspace.ts';

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

test('a dry run of an exploration asks no model and creates nothing, and later ones know what earlier units took', async () => {
  const ground = await prepare();
  const body = runBody(ground, { batch: 5 });
  const dryRun = async () => {
    const answer = await ground.workspace.post('/v1/explorations?dryRun=true', body, {
      headers: { 'idempotency-key': 'one' },
    });
    return z.strictObject({ estimate: costEstimate }).parse(expectStatus(answer, 200)).estimate;
  };
  const estimate = await dryRun();
  expect(await dryRun()).toEqual(estimate);
  expect(estimate.costUsd).toBeGreaterThan(0);
  expect(estimate.basis).toContain('1 rounds of 5 units and a probe');
  expect(await ground.model.asked()).toEqual([]);
  expect(expectStatus(await ground.workspace.get('/v1/explorations'), 200)).toMatchObject({ items: [] });

  const run = await explore(ground, { batch: 5, headers: { 'idempotency-key': 'one' } });
  expect((await recordOf(ground, run)).estimate).toEqual(estimate);
  await follow(ground.workspace.key, run);
  const { usage } = await recordOf(ground, run);
  const known = await dryRun();
  expect(known.tokens).toBe(usage.promptTokens + usage.completionTokens);
  expect(known.basis).toContain(`The mean of 6 units of ${run}`);

  const path = `/v1/explorations/${run}/evolutions`;
  const grown = expectStatus(await ground.workspace.post(`${path}?dryRun=true`, {}), 200);
  expect(z.object({ estimate: costEstimate }).parse(grown).estimate.basis).toContain('The mean of the 6 units');
  expect(expectStatus(await ground.workspace.get(path), 200)).toEqual({ items: [] });
});

test('an evaluation takes cases only while its budget in dollars has room for them, and overruns it by less than one case for each lane', async () => {
  const bed = await withRules(await frozen(3));
  const agents = ['one', 'two', 'three', 'four'];
  const whole = await evaluateToEnd(bed, agents, { concurrency: 4 });
  const costOf = ({ usage, judgeUsage }: { readonly usage: Usage; readonly judgeUsage: Usage }): number =>
    usage.costUsd + judgeUsage.costUsd;
  expect(whole.record.estimate?.basis).toContain('24 attempts: 4 agents, 3 units, 1 trials, 2 requests');
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
