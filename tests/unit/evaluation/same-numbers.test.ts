import { expect, test } from 'vitest';
import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import { countUnitsByExpectedTransition, makeAgentTransitions } from '#core/evaluation/agent-transitions.ts';
import { makeBasisFromCases } from '#core/evaluation/results-basis.ts';
import { generateBreakdownGroups } from '#core/evaluation/breakdown.ts';
import { compareAgents } from '#core/evaluation/compare-agents.ts';
import type { BreakdownGroup } from '#core/evaluation/breakdown-record.ts';
import type { FailureCounts } from '#core/traces/failure-counts.ts';
import type { AgentResult, Comparison } from '#core/evaluation/record.ts';
import type { ScoreSummary } from '#core/evaluation/results-record.ts';
import { buildRecordByScorer, type ScorerKey } from '#core/evaluation/scorers.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { computeEntryFiguresAndUnitValues, type ScoredFigures } from '#core/leaderboards/entry-figures.ts';
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
/** In release 0.2.0 two tools of the category `other` agreed in function; under any other name they still do. */
const toolsIn020 = syntheticTools.map((tool) => (tool.category === 'other' ? { ...tool, category: 'rest' } : tool));
const about = { protocol: 'sgvef' as const, units, tools: toolsIn020, trials: 3, seed: 7 };
const basis = makeBasisFromCases(cases, about);
/** Patterns of failures never took tools of `other` for alike. */
const basisOfPatterns = makeBasisFromCases(cases, { ...about, tools: syntheticTools });
const within = (split: 'public' | 'private') => {
  const own = units.filter((unit) => unit.split === split);
  const ids = new Set(own.map(({ id }) => id));
  return makeBasisFromCases(
    cases.filter(({ unit }) => ids.has(unit)),
    { ...about, units: own },
  );
};
const domains = new Map(syntheticTools.map(({ name, domain }) => [name, domain]));

/**
 * The scorers of release 0.2.0 that there still are. It had scores beside the other figures, fewer of them in some places, and a scorer
 * "pass", which decided what passes@k and comparisons of passes were of.
 */
const { execution, mtc, tcs, ar, uic, tfd, ecg } = buildRecordByScorer((key) => key);
const planned = [execution, mtc, tcs];

const only = <T>(keys: readonly ScorerKey[], of: Partial<Record<ScorerKey, T>>) =>
  Object.fromEntries(keys.map((key) => [key, of[key]]));

/** Release 0.2.0 had twelve classes of failures, and did not know reported errors or spoilt calls. */
const failuresIn020 = ({
  reportedErrors,
  spoiltCalls,
  spoiltShare: _share,
  byClass: { 'server-defect': defects, ...byClass },
  ...rest
}: FailureCounts) => {
  expect([reportedErrors, defects, spoiltCalls]).toEqual([0, 0, 0]);
  return { ...rest, byClass };
};

/** Release 0.2.0 did not know which units are proven, what answers state, or the parts of scores, or turns, routes and own tools. */
const resultIn020 = ({
  scores,
  unscoredReasons,
  failures,
  passes: _passes,
  proven: _proven,
  parts: _parts,
  answers: _answers,
  perAttempt: _perAttempt,
  routingErrors: _routingErrors,
  ownTools: _ownTools,
  ...rest
}: AgentResult) => ({
  ...rest,
  failures: failuresIn020(failures),
  unscoredReasons: only([ar, uic, tcs, tfd], unscoredReasons),
  ...only([...planned, ar, uic, tfd, ecg], scores),
});

const comparisonIn020 = ({ scores: own, a, b }: Comparison) => {
  const scores = Object.fromEntries(Object.entries(own).map(([key, { detectable: _told, ...rest }]) => [key, rest]));
  return { a, b, ...only([mtc, tcs, ar, uic, tfd], scores), ecgAbsolute: scores['ecg'] };
};

/** In release 0.2.0 each interval of a breakdown had its own resamples; no published record has them. */
const withoutInterval = ({ low: _low, high: _high, ...rest }: ScoreSummary) => rest;

const groupIn020 = ({ agents: own, marksErrors: _marks, ...rest }: BreakdownGroup) => ({
  ...rest,
  agents: own.map(
    ({ scores, parts: _parts, perAttempt: _took, spoiltCalls: _spoilt, reportedErrors: _reported, ...agent }) => ({
      ...agent,
      ...only(
        [...planned, ar, uic, tfd],
        buildRecordByScorer((key) => withoutInterval(scores[key])),
      ),
    }),
  ),
});

function entryIn020({ figures }: ScoredFigures) {
  const { scores, domains: own, private: closed } = figures;
  if (closed === null) throw new Error('nothing is private');
  const all = [...planned, ar, uic, tfd, ecg];
  const { costUsd: _cost, tokens: _tokens, durationMs: _duration, ...privateIn020 } = closed;
  return {
    figures: {
      ...figures,
      scores: only(all, scores),
      domains: own.map((domain) => ({ name: domain.name, units: domain.units, ...only(planned, domain) })),
      private: {
        ...privateIn020,
        scores: only(all, closed.scores),
        gap: only(planned, closed.gap),
      },
    },
  };
}

test.each([
  [
    'results',
    'e30b384e8b50ae94',
    () =>
      agents.map((agent) =>
        resultIn020({ ...makeAgentResult(agent, basis), patterns: makeAgentResult(agent, basisOfPatterns).patterns }),
      ),
  ],
  [
    'comparisons',
    '350f832360abdead',
    () => [compareAgents('alpha', 'beta', basis), compareAgents('gamma', 'beta', basis)].map(comparisonIn020),
  ],
  [
    'breakdowns, but for their intervals,',
    '17619cb0cd7842eb',
    () => [
      [...generateBreakdownGroups('server', agents, basis)].map(groupIn020),
      [...generateBreakdownGroups('domain', agents, basis)].map(groupIn020),
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
          countUnitsByExpectedTransition(units),
          domains,
        ),
      ),
  ],
  [
    'the figures of an entry',
    'f764fe2d8b49d5f9',
    () => entryIn020(computeEntryFiguresAndUnitValues('alpha', within('public'), within('private'))),
  ],
])('the same cases and seed give the same %s as in 0.2.0', async (_what, digest, compute) => {
  expect((await sha256Hex(canonicalJson(compute()))).slice(0, 16)).toBe(digest);
});
