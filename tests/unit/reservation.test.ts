import fc from 'fast-check';
import { countUnitsToStart, mayStartUnit, meanCostPerUnit, type UnitCost } from '#core/exploration/reservation.ts';
import { expect, test } from 'vitest';

const costs = fc.array(fc.double({ min: 0.001, max: 5, noNaN: true }), { minLength: 1, maxLength: 200 });
const limit = fc.double({ min: 0.01, max: 100, noNaN: true });
const lanes = fc.integer({ min: 1, max: 12 });

/** Works units off in lanes, each of which takes any unit it may; the one that has least left ends first. */
function spendInLanes(all: readonly number[], budget: number, most: number) {
  let [spent, finished, started] = [0, 0, 0];
  const open: { left: number; cost: number }[] = [];
  const mean = () => meanCostPerUnit({ tokens: spent, costUsd: spent }, finished);
  for (;;) {
    const amounts: UnitCost = { tokens: spent, costUsd: spent };
    while (
      open.length < most &&
      started < all.length &&
      mayStartUnit({ costUsd: budget }, { spent: amounts, mean: mean(), open: open.length })
    ) {
      const cost = all[started] ?? 0;
      open.push({ left: cost * (1 + (started % 3)), cost });
      started += 1;
    }
    const next = open.toSorted((a, b) => a.left - b.left)[0];
    if (next === undefined) return { spent, started };
    open.splice(open.indexOf(next), 1);
    spent += next.cost;
    finished += 1;
  }
}

test('lanes overrun a budget by less than one unit each, whatever units cost, and use it up if there are enough', () => {
  fc.assert(
    fc.property(costs, limit, lanes, (all, budget, most) => {
      const { spent, started } = spendInLanes(all, budget, most);
      expect(spent - budget).toBeLessThan(most * Math.max(...all) + 1e-9);
      if (started < all.length) expect(spent).toBeGreaterThanOrEqual(budget);
    }),
  );
});

test('rounds overrun a budget by less than one unit for each that starts together', () => {
  fc.assert(
    fc.property(costs, limit, lanes, (all, budget, most) => {
      let [spent, finished, largest] = [0, 0, 0];
      while (spent < budget && finished < all.length) {
        const amounts: UnitCost = { tokens: 0, costUsd: spent };
        const count = countUnitsToStart(
          { costUsd: budget },
          { spent: amounts, mean: meanCostPerUnit(amounts, finished) },
          most,
        );
        largest = Math.max(largest, count);
        const round = all.slice(finished, finished + count);
        spent += round.reduce((sum, cost) => sum + cost, 0);
        finished += round.length;
      }
      expect(spent - budget).toBeLessThan(largest * Math.max(...all) + 1e-9);
    }),
  );
});

test('units that cost the same overrun a budget by less than one of them', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 500 }), lanes, (cost, budget, most) => {
      let [spent, finished] = [0, 0];
      while (spent < budget) {
        const amounts: UnitCost = { tokens: spent, costUsd: 0 };
        const count = countUnitsToStart(
          { tokens: budget },
          { spent: amounts, mean: meanCostPerUnit(amounts, finished) },
          most,
        );
        spent += count * cost;
        finished += count;
      }
      expect(spent - budget).toBeLessThan(cost);
    }),
  );
});

test('the tighter of two limits decides, and no limit leaves all units', () => {
  const mean = { tokens: 1_000, costUsd: 0.5 };
  const spent = { tokens: 0, costUsd: 0 };
  expect(countUnitsToStart({ tokens: 9_000, costUsd: 2 }, { spent, mean }, 20)).toBe(4);
  expect(countUnitsToStart({ tokens: 2_500, costUsd: 2 }, { spent, mean }, 20)).toBe(3);
  expect(countUnitsToStart({}, { spent, mean: null }, 20)).toBe(20);
  expect(countUnitsToStart({ costUsd: 2 }, { spent, mean: null }, 20)).toBe(1);
  expect(countUnitsToStart({ costUsd: 2 }, { spent, mean: { tokens: 0, costUsd: 0 } }, 20)).toBe(20);
  expect(mayStartUnit({ tokens: 10 }, { spent: { tokens: 10, costUsd: 0 }, mean: null, open: 0 })).toBe(false);
});
