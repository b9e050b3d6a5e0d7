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

test('a long name is cut, and has the id behind it if another begins alike', () => {
  const [first, second] = ['a', 'b'].map((end) => ({ id: `exp_${end}`, name: `${'x'.repeat(60)}${end}` }));
  if (first === undefined || second === undefined) throw new Error('there are no runs');
  expect(namesOfRuns([first]).get('exp_a')).toBe(`${'x'.repeat(39)}…`);
  expect(namesOfRuns([first, second]).get('exp_b')).toBe(`${'x'.repeat(39)}… (exp_b)`);
});
