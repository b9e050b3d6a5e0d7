import { expect, test } from 'vitest';
import { addressWithQuery } from '../../../web/data/address-with-query.ts';
import { namesOfRuns } from '../../../web/runs/names-of-runs.ts';

test('a change of the query keeps what it does not name', () => {
  expect(addressWithQuery('/explorations/exp_1', { tool: 'a/b c' }, { with: 'exp_2' })).toBe(
    '/explorations/exp_1?tool=a%2Fb+c&with=exp_2',
  );
  expect(addressWithQuery('/explorations/exp_1', { tool: 'a/b', with: 'exp_2' }, { tool: null })).toBe(
    '/explorations/exp_1?with=exp_2',
  );
  expect(addressWithQuery('/explorations/exp_1', { tool: 'a/b' }, { tool: null })).toBe('/explorations/exp_1');
});

test('a run is called by its name, by its id without one, and by both if another has the same name', () => {
  const runs = [
    { id: 'exp_1', name: 'nightly' },
    { id: 'exp_2', name: '' },
    { id: 'exp_3', name: 'nightly' },
    { id: 'exp_4', name: 'first\u202e' },
  ];
  expect([...namesOfRuns(runs).values()]).toEqual(['nightly (exp_1)', 'exp_2', 'nightly (exp_3)', 'first\u2426']);
});
