import { expect, test } from 'vitest';
import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import { expectedTransitions, transitionsOf } from '#core/evaluation/agent-transitions.ts';
import { basisOfCases } from '#core/evaluation/basis.ts';
import { breakdownBy } from '#core/evaluation/breakdown.ts';
import { compareAgents } from '#core/evaluation/compare.ts';
import { resultOf } from '#core/evaluation/results.ts';
import { scoredFigures } from '#core/leaderboards/figures.ts';
import { syntheticCase, syntheticTools, syntheticUnit } from '../../../bench/results/synthetic.ts';
import { executedIn } from './basis.ts';

/**
 * Digests of what release 0.2.0 computed from the same cases and seed. Published records hold such figures, so a release that
 * changes one of them has to say so.
 */
const units = Array.from({ length: 60 }, (_, n) => syntheticUnit(n));
const agents = ['alpha', 'beta', 'gamma'];
const cases = units.flatMap((unit) =>
  agents.flatMap((agent) => [1, 2, 3].map((trial) => syntheticCase(unit, agent, trial, 80))),
);
const about = { units, tools: syntheticTools, trials: 3, seed: 7 };
const basis = basisOfCases(cases, about);
const within = (split: 'public' | 'private') => {
  const own = units.filter((unit) => unit.split === split);
  const ids = new Set(own.map(({ id }) => id));
  return basisOfCases(
    cases.filter(({ unit }) => ids.has(unit)),
    { ...about, units: own },
  );
};
const domains = new Map(syntheticTools.map(({ name, domain }) => [name, domain]));

test.each([
  ['results', '19c1c8e7a232faa3', () => agents.map((agent) => resultOf(agent, basis))],
  [
    'comparisons',
    '10a1359e264eccba',
    () => [compareAgents('alpha', 'beta', basis), compareAgents('gamma', 'beta', basis)],
  ],
  [
    'breakdowns',
    '604f8ae41a6dc1d1',
    () => [[...breakdownBy('server', agents, basis)], [...breakdownBy('domain', agents, basis)]],
  ],
  [
    'transitions',
    'fd9f0de53a938004',
    () =>
      agents.flatMap((agent) =>
        transitionsOf(
          agent,
          executedIn(cases.filter((each) => each.agent === agent)),
          expectedTransitions(units),
          domains,
        ),
      ),
  ],
  ['the figures of an entry', 'b7efc44f65702f5b', () => scoredFigures('alpha', within('public'), within('private'))],
])('the same cases and seed give the same %s as in 0.2.0', async (_what, digest, compute) => {
  expect((await sha256Hex(canonicalJson(compute()))).slice(0, 16)).toBe(digest);
});
