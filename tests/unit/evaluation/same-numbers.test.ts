import { expect, test } from 'vitest';
import { canonicalJson, sha256Hex } from '#core/canonical.ts';
import { countExpectedTransitions, makeAgentTransitions } from '#core/evaluation/agent-transitions.ts';
import { makeBasis } from '#core/evaluation/results-basis.ts';
import { breakdownGroups } from '#core/evaluation/breakdown.ts';
import { compareAgents } from '#core/evaluation/compare-agents.ts';
import type { BreakdownGroup } from '#core/evaluation/breakdown-record.ts';
import type { AgentResult, Comparison } from '#core/evaluation/record.ts';
import { buildByScorer, type ScorerKey } from '#core/scoring/scorers.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { computeEntryFigures, type ScoredFigures } from '#core/leaderboards/entry-figures.ts';
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
const basis = makeBasis(cases, about);
const within = (split: 'public' | 'private') => {
  const own = units.filter((unit) => unit.split === split);
  const ids = new Set(own.map(({ id }) => id));
  return makeBasis(
    cases.filter(({ unit }) => ids.has(unit)),
    { ...about, units: own },
  );
};
const domains = new Map(syntheticTools.map(({ name, domain }) => [name, domain]));

/** The scorers of release 0.2.0, which had scores beside the other figures, and fewer of them in some places. */
const { execution, mtc, tcs, pass, ar, uic, tfd, ecg } = buildByScorer((key) => key);
const planned = [execution, mtc, tcs];

const only = <T>(keys: readonly ScorerKey[], of: Partial<Record<ScorerKey, T>>) =>
  Object.fromEntries(keys.map((key) => [key, of[key]]));

const resultIn020 = ({ scores, unscoredReasons, ...rest }: AgentResult) => ({
  ...rest,
  unscoredReasons: only([pass, ar, uic, tcs, tfd], unscoredReasons),
  ...only([...planned, pass, ar, uic, tfd, ecg], scores),
});

const comparisonIn020 = ({ scores, ...rest }: Comparison) => ({
  ...rest,
  ...only([mtc, tcs, ar, uic, tfd], scores),
  ecgAbsolute: scores.ecg,
});

const groupIn020 = ({ agents: own, ...rest }: BreakdownGroup) => ({
  ...rest,
  agents: own.map(({ scores, ...agent }) => ({ ...agent, ...only([...planned, pass, ar, uic, tfd], scores) })),
});

function entryIn020({ figures, values }: ScoredFigures) {
  const { scores, domains: own, private: closed } = figures;
  if (closed === null) throw new Error('nothing is private');
  const all = [...planned, pass, ar, uic, tfd, ecg];
  return {
    values: { ...only(all, values), 'pass-hat-4': values['pass-hat-4'] },
    figures: {
      ...figures,
      scores: { ...only(all, scores), passes: scores.passes },
      domains: own.map((domain) => ({ name: domain.name, units: domain.units, ...only(planned, domain) })),
      private: {
        ...closed,
        scores: { ...only(all, closed.scores), passes: closed.scores.passes },
        gap: only([...planned, pass], closed.gap),
      },
    },
  };
}

test.each([
  ['results', '854997dd3074d34f', () => agents.map((agent) => resultIn020(makeAgentResult(agent, basis)))],
  [
    'comparisons',
    '0f61715fff410c48',
    () => [compareAgents('alpha', 'beta', basis), compareAgents('gamma', 'beta', basis)].map(comparisonIn020),
  ],
  [
    'breakdowns',
    'e9ce461075383245',
    () => [
      [...breakdownGroups('server', agents, basis)].map(groupIn020),
      [...breakdownGroups('domain', agents, basis)].map(groupIn020),
    ],
  ],
  [
    'transitions',
    '9ffa9a8f17e7fc4e',
    () =>
      agents.flatMap((agent) =>
        makeAgentTransitions(
          agent,
          executedIn(cases.filter((each) => each.agent === agent)),
          countExpectedTransitions(units),
          domains,
        ),
      ),
  ],
  [
    'the figures of an entry',
    '7cb2a449ef1bff9d',
    () => entryIn020(computeEntryFigures('alpha', within('public'), within('private'))),
  ],
])('the same cases and seed give the same %s as in 0.2.0', async (_what, digest, compute) => {
  expect((await sha256Hex(canonicalJson(compute()))).slice(0, 16)).toBe(digest);
});
