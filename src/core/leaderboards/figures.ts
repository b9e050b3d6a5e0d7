import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { doneCasesOf, type ResultsBasis } from '#core/evaluation/basis.ts';
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

interface Scored {
  readonly figures: EntryFigures;
  readonly values: Record<UnitRankingMetric, (number | null)[]>;
}

/** Scores an agent's cases: the public units by themselves, and apart from them the private ones where there are any. */
export function scoredFigures(
  agent: string,
  basis: Omit<ResultsBasis, 'units'> & { readonly units: readonly Pick<BenchmarkUnit, 'id' | 'chain' | 'split'>[] },
): Scored {
  const open = within('public', basis);
  const closed = within('private', basis);
  const result = resultOf(agent, open);
  const values = rankingValues(doneCasesOf(agent, open), open);
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
      private: closed.units.length === 0 ? null : privateFigures(agent, closed, values),
    },
    values,
  };
}

/** The part of an evaluation that is on one split. */
function within(
  split: BenchmarkUnit['split'],
  { units, cases, ...rest }: Parameters<typeof scoredFigures>[1],
): ResultsBasis {
  const own = units.filter((unit) => unit.split === split);
  const ids = new Set(own.map(({ id }) => id));
  return { ...rest, units: own, cases: cases.filter(({ unit }) => ids.has(unit)) };
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
  breakdownBy('domain', [agent], basis).flatMap(({ name, units, agents: [own] }) =>
    own === undefined || units === 0 ? [] : [{ name, units, execution: own.execution, mtc: own.mtc, tcs: own.tcs }],
  );

function privateFigures(
  agent: string,
  basis: ResultsBasis,
  open: Readonly<Record<UnitRankingMetric, readonly (number | null)[]>>,
): Entry['private'] {
  const result = resultOf(agent, basis);
  const closed = rankingValues(doneCasesOf(agent, basis), basis);
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
