import { expect, test } from 'vitest';
import { makeBenchmarkUnitIfAccepted } from '#core/benchmarks/benchmark.ts';
import { isEveryStepProven } from '#core/units/witness.ts';
import { after, audited, begun, executed, paired, places, refined, route, searched, written } from '../units/units.ts';

const half = [
  executed('source', [{ tool: places.name }, { tool: route.name, error: 'no such town' }]),
  executed('followUp', []),
];
const unsolved = after(begun(), [
  written(),
  searched(),
  paired(),
  audited(95),
  ...half,
  refined(),
  audited(95),
  ...half,
]);
const frozenFrom = (...tools: readonly string[]) =>
  makeBenchmarkUnitIfAccepted(unsolved, { id: 'exp_1', harness: 'test', hasSuccess: (tool) => tools.includes(tool) });

test('a unit that the base agent could not solve is proven by the successes of its tools elsewhere, and keeps its witness', async () => {
  const unit = await frozenFrom(places.name, route.name);
  expect(unit).toMatchObject({ witness: { source: [1], followUp: [] }, provenElsewhere: [2] });
  expect(unit !== null && isEveryStepProven(unit)).toBe(true);
});

test('a unit with a tool that never had a success is not proven', async () => {
  const unit = await frozenFrom(places.name);
  expect(unit).toMatchObject({ witness: { source: [1], followUp: [] } });
  expect(unit).not.toHaveProperty('provenElsewhere');
  expect(unit !== null && isEveryStepProven(unit)).toBe(false);
});
