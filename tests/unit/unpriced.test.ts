import { expect, test } from 'vitest';
import { refuseBudgetWithoutPrices } from '#core/models/unpriced.ts';

const priced = { name: 'the writer', model: { promptPricePerMTok: 1, completionPricePerMTok: 0 } };
const unpriced = { name: 'the agent', model: { promptPricePerMTok: 0, completionPricePerMTok: 0 } };

test('a budget in dollars is refused with the models that have no price', () => {
  const refused = refuseBudgetWithoutPrices([priced, unpriced], { costUsd: 0.05 });
  expect(refused).toMatchObject({
    ok: false,
    problem: { code: 'no-price', detail: 'a budget of $0.05 bounds nothing: the agent has no price' },
  });
});

test('a budget in dollars is accepted if every model has a price, and models without one if there is no such budget', () => {
  expect(refuseBudgetWithoutPrices([priced], { costUsd: 1 }).ok).toBe(true);
  expect(refuseBudgetWithoutPrices([priced, unpriced], {}).ok).toBe(true);
});
