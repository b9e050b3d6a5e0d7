import { unitValueAtOrNull } from '#core/evaluation/agent-figures.ts';
import { type ResultsBasis, agentBasisOrEmpty } from '#core/evaluation/results-basis.ts';
import type { ScoreSummary } from '#core/evaluation/results-record.ts';
import { unitIdsByGroup } from '#core/evaluation/breakdown.ts';
import type { AgentResult } from '#core/evaluation/record.ts';
import { makeAgentResult, summariseUnitValuesOfScorer } from '#core/evaluation/agent-result.ts';
import { makeRandom } from '#core/values/random.ts';
import type { Scorer } from '#core/scoring/scorer.ts';
import { listScorersShownByDomain } from './scorers.ts';
import { scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { ScorerKey } from '#core/evaluation/scorers.ts';
import { unpairedMeanDifferenceWithInterval } from '#core/statistics/unpaired.ts';
import type { Entry, EntryScores } from './record.ts';
import { type UnitRankingMetric, buildByMetric, listMetricsWithUnitValues } from './metrics.ts';
import { countScoredAndPassedTrials } from '#core/evaluation/compute-passes.ts';
import { passHatK } from '#core/statistics/pass-at-k.ts';

/** The k of the ranked reliability: the probability that all of four trials pass. */
const rankedK = 4;

/** The results of an evaluation, as far as values of units need them. */
type UnitBasis = Pick<ResultsBasis, 'protocol' | 'units' | 'agents'>;

/** Returns an agent's values of units in the order of unit ids; null if a unit has none. */
function valuesInUnitIdOrder(agent: string, basis: UnitBasis, known: readonly (number | null)[]): (number | null)[] {
  const places = new Map(agentBasisOrEmpty(basis, agent).figures.units.map((unit, index) => [unit, index]));
  const ids = basis.units.map(({ id }) => id).toSorted();
  return ids.map((id) => known[places.get(id) ?? -1] ?? null);
}

/** Returns an agent's values of units by a scorer, in the order of unit ids; null if a unit has none. */
export function unitScoresInIdOrder(agent: string, basis: UnitBasis, key: ScorerKey): (number | null)[] {
  const { figures } = agentBasisOrEmpty(basis, agent);
  const values = figures.units.map((_, index) => unitValueAtOrNull(figures, key, index));
  return valuesInUnitIdOrder(agent, basis, values);
}

/**
 * Returns the values by which two entries are compared: each metric's value of every unit, in the order of unit ids;
 * null if a unit has none.
 */
export function listUnitValuesByMetric(
  agent: string,
  basis: UnitBasis,
): Partial<Record<UnitRankingMetric, (number | null)[]>> {
  const { trials } = agentBasisOrEmpty(basis, agent).figures;
  const reliability = trials.map((own) => {
    const { scored, passed } = countScoredAndPassedTrials(own);
    return passHatK(scored, passed, rankedK);
  });
  return buildByMetric(listMetricsWithUnitValues(basis.protocol), (metric) =>
    metric === 'pass-hat-4'
      ? valuesInUnitIdOrder(agent, basis, reliability)
      : unitScoresInIdOrder(agent, basis, metric),
  );
}

/** The figures of one agent's cases, as an entry shows them. */
export type EntryFigures = Pick<
  Entry,
  | 'units'
  | 'attempts'
  | 'notEvaluated'
  | 'relaunched'
  | 'scores'
  | 'costUsd'
  | 'tokens'
  | 'durationMs'
  | 'domains'
  | 'private'
>;

/** An agent's figures, with the values by which entries are compared. */
export interface ScoredFigures {
  readonly figures: EntryFigures;
  readonly values: Partial<Record<UnitRankingMetric, (number | null)[]>>;
}

/** Scores an agent on the public units, and separately on the private ones, if any, by which it is compared then. */
export function computeEntryFiguresAndUnitValues(
  agent: string,
  open: ResultsBasis,
  closed: ResultsBasis | null,
): ScoredFigures {
  const result = makeAgentResult(agent, open);
  const { units, attempts, notEvaluated, relaunched, durationMs } = result;
  return {
    figures: {
      units,
      attempts,
      notEvaluated,
      relaunched,
      scores: makeEntryScores(result),
      costUsd: costPerAttemptOrNullIfZero(result),
      tokens: result.tokensPerAttempt,
      durationMs,
      domains: listScoreSummariesByDomain(agent, open),
      private: closed === null ? null : privateFiguresWithGap(agent, open, closed),
    },
    values: listUnitValuesByMetric(agent, closed ?? open),
  };
}

/** Returns the mean cost of an attempt; null if it is zero: then no price was given, and an unknown cost must not be the cheapest. */
const costPerAttemptOrNullIfZero = ({ costUsdPerAttempt: cost }: AgentResult): number | null =>
  cost === 0 ? null : cost;

const makeEntryScores = ({ scores, passes }: AgentResult): EntryScores => ({
  ...scores,
  passes: (passes?.atK ?? []).map(({ k, passHatK }) => ({ k, passHatK })),
});

/**
 * Returns the headline and the figures that anybody can recompute from the traces, by domain of the tools in the units' chains.
 * Each interval has its own stream of random numbers: published records were computed so.
 */
const listScoreSummariesByDomain = (agent: string, basis: ResultsBasis): Entry['domains'] => {
  const { figures } = agentBasisOrEmpty(basis, agent);
  return Array.from(unitIdsByGroup('domain', basis), ([name, units]) => {
    const places = figures.units.flatMap((unit, index) => (units.has(unit) ? [index] : []));
    const scores: Partial<Record<ScorerKey, ScoreSummary>> = {};
    for (const { key } of listScorersShownByDomain(basis.protocol))
      scores[key] = summariseUnitValuesOfScorer(
        key,
        places.map((place) => unitValueAtOrNull(figures, key, place)),
        makeRandom(basis.seed, 'bootstrap', agent, 'domain', name, key),
      );
    return { name, units: units.size, ...scores };
  });
};

function privateFiguresWithGap(agent: string, open: ResultsBasis, closed: ResultsBasis): Entry['private'] {
  const result = makeAgentResult(agent, closed);
  const gap: NonNullable<Entry['private']>['gap'] = {};
  for (const { key } of scorersOfProtocol(open.protocol).filter(isScorerWithSplitGap))
    gap[key] = unpairedMeanDifferenceWithInterval(
      dropNulls(unitScoresInIdOrder(agent, open, key)),
      dropNulls(unitScoresInIdOrder(agent, closed, key)),
      makeRandom(closed.seed, 'gap', agent, key),
    );
  return {
    units: result.units,
    attempts: result.attempts,
    notEvaluated: result.notEvaluated,
    scores: makeEntryScores(result),
    costUsd: costPerAttemptOrNullIfZero(result),
    tokens: result.tokensPerAttempt,
    durationMs: result.durationMs,
    gap,
  };
}

const dropNulls = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);

/** Returns whether a scorer has a gap between splits. It covers scorers for which more is better, because memorizing units raises those. */
export const isScorerWithSplitGap = ({ direction }: Scorer): boolean => direction === 'higher';
