import { listMetricsWithUnitValues } from '#core/leaderboards/metrics.ts';
import { buildByKey } from '#core/scoring/build-by-key.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import type { Entry, EntryScores } from '#core/leaderboards/record.ts';
import type { Publication } from '#core/leaderboards/scored-submission.ts';
import { listRecomputableScorers } from '#core/leaderboards/scorers.ts';
import { buildRecordByScorer, getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { success } from '#core/scoring/success.ts';
import type { Summary } from '#core/statistics/summary.ts';
import { makeRandom, type Random } from '#core/values/random.ts';

const at = '2026-01-01T00:00:00.000Z';
const domainNames = ['files', 'finance', 'maps', 'planning', 'travel', 'weather', 'writing'];
/** Digests of attempts that are kept of a submission. */
const sketchSize = 64;

/**
 * A synthetic submission: the n-th, with random values of its units around a random level. The same n gives the same
 * one.
 */
export function syntheticPublication(n: number, units: number): Publication {
  const random = makeRandom('synthetic submission', n);
  const level = 0.1 + 0.8 * random.next();
  const drawValues = () =>
    Array.from({ length: units }, () => Math.min(1, Math.max(0, level + 0.6 * (random.next() - 0.5))));
  const values = buildByKey(listMetricsWithUnitValues('sgvef'), drawValues);
  const scores: EntryScores = {
    ...buildRecordByScorer((key) => {
      const summary = syntheticSummaryOfValues(key === success.key ? values[key] : drawValues());
      const spread = { meanAbsolute: summary.mean, standardDeviation: 0.1 };
      return { ...summary, ...(getScorerOrThrow(key).direction === 'zero' ? spread : {}) };
    }),
    passes: [1, 2, 3, 4].map((k) => ({
      k,
      passHatK: syntheticSummaryOfValues(values[k === 4 ? 'pass-hat-4' : success.key]),
    })),
  };
  return {
    submission: `sub_${String(n).padStart(12, '0')}`,
    workspace: `workspace ${n}`,
    name: `Agent ${n}`,
    // Each tier has a ranking of its own, and the size is that of one.
    tier: 'service',
    submittedAt: at,
    scored: {
      configuration: {
        loop: 'function-calling',
        model: `model ${n % 40}`,
        limits: { turns: 20, timeMs: 300_000 },
        mounting: standardMounting,
      },
      isolation: [],
      mounted: {
        mounting: standardMounting,
        tools: { mean: 120, least: 117, most: 128 },
        schemaTokens: { mean: 30_000, least: 29_000, most: 31_000 },
        cutUnits: 0,
      },
      prompts: ['agent@v1'],
      figures: syntheticFigures(scores, units, random),
      values,
      traces: { public: { attempts: units * 8, sha256: '0'.repeat(64) }, private: null },
      sketch: Array.from({ length: sketchSize }, (_, digest) => `${n}.${digest}`),
      findings: [],
    },
    approved: null,
    at,
  };
}

function syntheticFigures(scores: EntryScores, units: number, random: Random): Publication['scored']['figures'] {
  const gap = { difference: 0.02, low: -0.01, high: 0.05 };
  const hidden: Entry['private'] = {
    units: 20,
    attempts: 160,
    notEvaluated: 0,
    scores,
    gap: buildRecordByScorer(() => gap),
  };
  return {
    units,
    attempts: units * 8,
    notEvaluated: 0,
    scores,
    costUsd: 0.001 * 1_000 ** random.next(),
    tokens: Math.round(5_000 + 45_000 * random.next()),
    durationMs: { median: 20_000, p95: 60_000 },
    domains: domainNames.map((name) => ({
      ...Object.fromEntries(listRecomputableScorers('sgvef').map(({ key }) => [key, scores[key]])),
      name,
      units: Math.ceil(units / domainNames.length),
    })),
    private: hidden,
  };
}

function syntheticSummaryOfValues(values: readonly (number | null)[]): Summary {
  const scored = values.filter((value) => value !== null);
  const mean = scored.reduce((sum, value) => sum + value, 0) / scored.length;
  return { mean, low: mean - 0.03, high: mean + 0.03, n: scored.length, unscored: 0 };
}
