import type { ResultsBasis } from '#core/evaluation/basis.ts';
import { breakdownBy } from '#core/evaluation/breakdown.ts';
import type { AgentResult } from '#core/evaluation/record.ts';
import { resultOf } from '#core/evaluation/results.ts';
import { randomFor } from '#core/random.ts';
import { unpairedDifference } from '#core/statistics/unpaired.ts';
import type { Entry, EntryScores } from './record.ts';
import type { UnitRankingMetric } from './metrics.ts';
import { rankingValues } from './unit-scores.ts';

/** What one agent's cases came to, as an entry shows it. */
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

/** An agent's figures with the values that it is compared by. */
export interface ScoredFigures {
  readonly figures: EntryFigures;
  readonly values: Record<UnitRankingMetric, (number | null)[]>;
}

/** Scores an agent on the public units, and apart from them on the private ones where there are any. */
export function scoredFigures(agent: string, open: ResultsBasis, closed: ResultsBasis | null): ScoredFigures {
  const result = resultOf(agent, open);
  const values = rankingValues(agent, open);
  const { units, attempts, notEvaluated, relaunched, durationMs } = result;
  return {
    figures: {
      units,
      attempts,
      notEvaluated,
      relaunched,
      scores: scoresOf(result),
      costUsd: costOf(result),
      tokens: result.tokensPerAttempt,
      durationMs,
      domains: domainsOf(agent, open),
      private: closed === null ? null : privateFigures(agent, closed, values),
    },
    values,
  };
}

/** Null where it is nothing: then no price was given, and what is not known must not be the cheapest. */
const costOf = ({ costUsdPerAttempt: cost }: AgentResult): number | null => (cost === 0 ? null : cost);

const scoresOf = ({ execution, mtc, tcs, pass, passes, ar, uic, tfd, ecg }: AgentResult): EntryScores => ({
  execution,
  mtc,
  tcs,
  pass,
  passes: passes.atK.map(({ k, passHatK }) => ({ k, passHatK })),
  ar,
  uic,
  tfd,
  ecg,
});

/** By the domains that the units' chains have tools of. */
const domainsOf = (agent: string, basis: ResultsBasis): Entry['domains'] =>
  [...breakdownBy('domain', [agent], basis)].flatMap(({ name, units, agents: [own] }) =>
    own === undefined || units === 0 ? [] : [{ name, units, execution: own.execution, mtc: own.mtc, tcs: own.tcs }],
  );

function privateFigures(
  agent: string,
  basis: ResultsBasis,
  open: Readonly<Record<UnitRankingMetric, readonly (number | null)[]>>,
): Entry['private'] {
  const result = resultOf(agent, basis);
  const closed = rankingValues(agent, basis);
  const gap = (metric: 'execution' | 'mtc' | 'tcs' | 'pass') =>
    unpairedDifference(known(open[metric]), known(closed[metric]), randomFor(basis.seed, 'gap', agent, metric));
  return {
    units: result.units,
    attempts: result.attempts,
    notEvaluated: result.notEvaluated,
    scores: scoresOf(result),
    gap: { execution: gap('execution'), mtc: gap('mtc'), tcs: gap('tcs'), pass: gap('pass') },
  };
}

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
