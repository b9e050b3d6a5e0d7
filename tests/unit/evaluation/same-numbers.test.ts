import { expect, test } from 'vitest';
import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import { expectedTransitions, transitionsOf } from '#core/evaluation/agent-transitions.ts';
import { basisOfCases } from '#core/evaluation/basis.ts';
import { breakdownBy } from '#core/evaluation/breakdown.ts';
import { compareAgents } from '#core/evaluation/compare.ts';
import type { BreakdownGroup } from '#core/evaluation/breakdown-record.ts';
import type { AgentResult, Comparison } from '#core/evaluation/record.ts';
import { resultOf } from '#core/evaluation/results.ts';
import { scoredFigures, type ScoredFigures } from '#core/leaderboards/figures.ts';
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

/** Release 0.2.0 had scores beside the other figures, and fewer of them in some places. */
const resultIn020 = ({ scores, ...rest }: AgentResult) => ({ ...rest, ...scores });

function comparisonIn020({ scores, ...rest }: Comparison) {
  const { tcs, mtc, tfd, ar, uic, ecg } = scores;
  return { ...rest, tcs, mtc, tfd, ar, uic, ecgAbsolute: ecg };
}

const groupIn020 = ({ agents: own, ...rest }: BreakdownGroup) => ({
  ...rest,
  agents: own.map(({ scores: { execution, mtc, tcs, pass, ar, uic, tfd }, ...agent }) => ({
    ...agent,
    execution,
    mtc,
    tcs,
    pass,
    ar,
    uic,
    tfd,
  })),
});

function entryIn020({ figures, values }: ScoredFigures) {
  if (figures.private === null) throw new Error('nothing is private');
  const { execution, mtc, tcs, pass } = figures.private.gap;
  return {
    values,
    figures: {
      ...figures,
      domains: figures.domains.map(({ name, units: count, execution, mtc, tcs }) => ({
        name,
        units: count,
        execution,
        mtc,
        tcs,
      })),
      private: { ...figures.private, gap: { execution, mtc, tcs, pass } },
    },
  };
}

test.each([
  ['results', '9a2cfd8ccdad1900', () => agents.map((agent) => resultIn020(resultOf(agent, basis)))],
  [
    'comparisons',
    '1197fb2c190b0bcd',
    () => [compareAgents('alpha', 'beta', basis), compareAgents('gamma', 'beta', basis)].map(comparisonIn020),
  ],
  [
    'breakdowns',
    'cb96e3bf7cc29771',
    () => [
      [...breakdownBy('server', agents, basis)].map(groupIn020),
      [...breakdownBy('domain', agents, basis)].map(groupIn020),
    ],
  ],
  [
    'transitions',
    'a045f887e644c746',
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
  [
    'the figures of an entry',
    '3999eb3ee2fe415d',
    () => entryIn020(scoredFigures('alpha', within('public'), within('private'))),
  ],
])('the same cases and seed give the same %s as in 0.2.0', async (_what, digest, compute) => {
  expect((await sha256Hex(canonicalJson(compute()))).slice(0, 16)).toBe(digest);
});
