import { expect, test } from 'vitest';
import { exploreToEnd, prepare, type Ground, type RunOptions } from '../support/exploration.ts';

async function unitsFor(ground: Ground, options: RunOptions) {
  const { units, record } = await exploreToEnd(ground, { rounds: 2, batch: 3, ...options });
  expect(record.status).toBe('completed');
  return units.map(({ unit }) => unit);
}

test('the same seed, catalog and answers give the same units in any order of finishing', async () => {
  const ground = await prepare();
  const first = await unitsFor(ground, { more: { seed: 7 } });
  await ground.model.script([{ form: 'scenario', times: 3, behaviour: { kind: 'slow', ms: 250 } }]);
  expect(await unitsFor(ground, { more: { seed: 7 } })).toEqual(first);
  await ground.model.script([]);
  const other = await unitsFor(ground, { more: { seed: 8 } });
  expect(other.map(({ draws }) => draws)).not.toEqual(first.map(({ draws }) => draws));

  // A model is asked with the same seeds.
  const seeds = (await ground.model.asked()).map(({ seed }) => seed);
  expect(seeds.every((seed) => seed !== null)).toBe(true);
  const third = seeds.length / 3;
  const inOrder = (from: number): string[] =>
    seeds
      .slice(from, from + third)
      .map(String)
      .toSorted();
  expect(inOrder(0)).toEqual(inOrder(third));
});
