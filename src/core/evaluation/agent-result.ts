import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { type Random, makeRandom } from '#core/values/random.ts';
import { type ScorerKey, buildRecordByScorer, getScorerOrThrow, scoreParts, scorerKeys } from './scorers.ts';
import { type GapSpread, computeSpreadOfUnitGaps } from '#core/statistics/gap-spread.ts';
import { summariseColumnsTogether, summariseShares, summariseWithBootstrap } from '#core/statistics/summary.ts';
import { isEveryStepProven } from '#core/units/witness.ts';
import { type AgentFigures, type AttemptSums, unitValueAtOrNull } from './agent-figures.ts';
import { type ResultsBasis, agentBasisOrEmpty } from './results-basis.ts';
import { summariseEffort } from './sum-effort.ts';
import { failureCountsOfTally } from '#core/traces/failure-counts.ts';
import { summarizeDisturbances } from './disturbance-figures.ts';
import { computePassAtKAndHatK } from './compute-passes.ts';
import type { AgentResult } from './record.ts';
import {
  type PartMean,
  type PartMeans,
  type RoutingErrors,
  type ScoreSummary,
  type UnscoredAttempts,
  unscoredAttempts,
} from './results-record.ts';

/** Returns the counts of attempts without a score, by scorer and reason. */
export const unscoredCountsByScorerAndReason = ({ unscored }: Pick<AttemptSums, 'unscored'>): UnscoredAttempts =>
  unscoredAttempts.parse(
    Object.fromEntries(Array.from(unscored, ([metric, reasons]) => [metric, Object.fromEntries(reasons)])),
  );

/** Returns one agent's means over units with intervals, its failures and its cost. */
export function makeAgentResult(
  agent: string,
  basis: Pick<ResultsBasis, 'protocol' | 'units' | 'agents' | 'trials' | 'seed'>,
): AgentResult {
  const { figures } = agentBasisOrEmpty(basis, agent);
  const { units, patterns, attempts } = figures;
  const [incomplete, noise, unstable] = failurePatterns;
  const scores = buildRecordByScorer((key) =>
    summariseUnitValuesOfScorer(
      key,
      units.map((_, index) => unitValueAtOrNull(figures, key, index)),
      makeRandom(basis.seed, 'bootstrap', agent, key),
    ),
  );
  const provenUnits = new Set(basis.units.filter(isEveryStepProven).map(({ id }) => id));
  const proven = units.flatMap((unit, index) => (provenUnits.has(unit) ? [index] : []));
  return {
    name: agent,
    units: units.length,
    scores,
    parts: meanScorePartsOfUnitsAtPlaces(figures, [...units.keys()]),
    proven: {
      units: proven.length,
      scores:
        proven.length === units.length
          ? scores
          : summariseScoresOfUnitsAtPlaces(figures, proven, makeRandom(basis.seed, 'bootstrap', agent, 'proven')),
    },
    passes: getProtocol(basis.protocol).verdict === null ? null : computePassAtKAndHatK(figures, basis.trials),
    patterns: {
      [incomplete]: patterns.get(incomplete) ?? 0,
      [noise]: patterns.get(noise) ?? 0,
      [unstable]: patterns.get(unstable) ?? 0,
    },
    ...(figures.disturbedPairs.length === 0
      ? {}
      : { disturbances: summarizeDisturbances(figures.disturbedPairs, { seed: basis.seed, agent }) }),
    failures: failureCountsOfTally(attempts),
    answers: {
      ...attempts.answers,
      unreturnedShare: shareOrNull(attempts.answers.unreturned, attempts.answers.checked),
    },
    ownTools: attempts.ownTools.calls === 0 ? null : { ...attempts.ownTools },
    attempts: attempts.made,
    notEvaluated: attempts.notEvaluated,
    relaunched: attempts.relaunched,
    unscoredReasons: unscoredCountsByScorerAndReason(attempts),
    ...summariseEffort(attempts),
    routingErrors: routingErrorCountsByKindOrNull(attempts),
  };
}

const shareOrNull = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Null where it is not known: no attempt searched and was judged, or some failed and none has a class, as after judging again. */
function routingErrorCountsByKindOrNull({ routingErrors: found, searched }: AgentFigures['attempts']): RoutingErrors {
  if (found.size === 0 && (searched.judged === 0 || searched.failed > 0)) return null;
  return {
    query: found.get('query') ?? 0,
    retrieve: found.get('retrieve') ?? 0,
    tool: found.get('tool') ?? 0,
    other: found.get('other') ?? 0,
    undecided: found.get('undecided') ?? 0,
    empty: found.get('empty') ?? 0,
  };
}

/** Returns the means of parts over the units at these places, by scorer and name. */
export function meanScorePartsOfUnitsAtPlaces(
  { parts }: Pick<AgentFigures, 'parts'>,
  places: readonly number[],
): PartMeans {
  const means = parts.map((values) => meanOfKnown(places.map((place) => values[place] ?? Number.NaN)));
  return buildRecordByScorer((key) =>
    Object.fromEntries(
      scoreParts.flatMap(({ scorer, key: part }, index) => {
        const found = means[index];
        return scorer === key && found !== undefined ? [[part, found] as const] : [];
      }),
    ),
  );
}

function meanOfKnown(values: readonly number[]): PartMean {
  const known = values.filter((value) => !Number.isNaN(value));
  return {
    mean: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length,
    n: known.length,
  };
}

const resampledKeys = scorerKeys.filter((key) => !getScorerOrThrow(key).binary);

/** Summarizes an agent's values of the units at these places, from the same resamples for all scorers that need any. */
export function summariseScoresOfUnitsAtPlaces(
  figures: Pick<AgentFigures, 'values'>,
  places: readonly number[],
  random: Random,
): AgentResult['scores'] {
  const columns = resampledKeys.map((key) =>
    Float64Array.from(places, (place) => figures.values[key][place] ?? Number.NaN),
  );
  const resampled = new Map(summariseColumnsTogether(columns, random).map((each, at) => [resampledKeys[at], each]));
  return buildRecordByScorer((key) => {
    const values = places.map((place) => unitValueAtOrNull(figures, key, place));
    return { ...(resampled.get(key) ?? summariseShares(values)), ...gapSpreadIfScorerAimsAtZero(key, values) };
  });
}

/** Summarizes a scorer's values of units. Those of a binary scorer are shares of trials. */
export const summariseUnitValuesOfScorer = (
  key: ScorerKey,
  values: readonly (number | null)[],
  random: Random,
): ScoreSummary => ({
  ...(getScorerOrThrow(key).binary ? summariseShares(values) : summariseWithBootstrap(values, random)),
  ...gapSpreadIfScorerAimsAtZero(key, values),
});

const gapSpreadIfScorerAimsAtZero = (key: ScorerKey, values: readonly (number | null)[]): Partial<GapSpread> =>
  getScorerOrThrow(key).direction === 'zero' ? computeSpreadOfUnitGaps(values) : {};
