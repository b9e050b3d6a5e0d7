import { buildRecordByScorer, getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { buildByMetric, rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import type { Entry, LeaderboardCreation } from '#core/leaderboards/record.ts';
import type { Publication, ScoredSubmission } from '#core/leaderboards/scored-submission.ts';

const at = '2026-05-01T12:00:00.000Z';

/** Returns the creation of a leaderboard of a benchmark with this number of public units. */
export const creationOf = (id: string, publicUnits: number): LeaderboardCreation => ({
  id,
  workspace: 'main',
  benchmark: 'bm_1',
  benchmarkObject: 'object of bm_1',
  protocol: 'sgvef',
  name: 'A leaderboard',
  trials: 4,
  previous: null,
  seed: 1,
  catalog: 'cat_1',
  harness: 'harness 1',
  publicUnits,
  privateUnits: 0,
  offline: true,
  judge: model('judge'),
  embedder: model('embedder'),
  mounting: standardMounting,
  at,
});

/** Where the prices of an entry with a cost stand. */
export const published = { readOn: '2026-04-01', url: 'https://models.example/prices' };

const model = (name: string) => ({
  baseUrl: 'https://models.example/v1',
  model: name,
  key: { kind: 'deployment' } as const,
  promptPricePerMTok: 1,
  completionPricePerMTok: 2,
});

const mean = (values: readonly (number | null)[]): number | null => {
  const scored = values.filter((value) => value !== null);
  return scored.length === 0 ? null : scored.reduce((sum, value) => sum + value, 0) / scored.length;
};

const summaryOf = (values: readonly (number | null)[]) => {
  const n = values.filter((value) => value !== null).length;
  return { mean: mean(values), low: null, high: null, n, unscored: values.length - n };
};

/** A submission with these values by every unit metric. */
export function scoredWith(
  values: readonly (number | null)[],
  more: Partial<Pick<ScoredSubmission, 'sketch' | 'findings'>> & Partial<Pick<Entry, 'costUsd'>> = {},
): ScoredSubmission {
  const { costUsd = null, sketch = [], findings = [] } = more;
  const summary = summaryOf(values);
  const scores: Entry['scores'] = {
    ...buildRecordByScorer((key) =>
      getScorerOrThrow(key).direction === 'zero'
        ? { ...summary, meanAbsolute: summary.mean, standardDeviation: null }
        : summary,
    ),
    passes: [
      { k: 1, passHatK: summary },
      { k: 4, passHatK: summary },
    ],
  };
  return {
    configuration: { loop: 'function-calling', model: 'agent', limits: { steps: 8 }, mounting: standardMounting },
    isolation: [],
    mounted: {
      mounting: standardMounting,
      tools: { mean: 120, least: 117, most: 128 },
      schemaTokens: { mean: 30_000, least: 29_000, most: 31_000 },
      cutUnits: 0,
    },
    ...(costUsd === null ? {} : { priceSource: published }),
    prompts: ['agent.v1'],
    figures: {
      units: values.length,
      attempts: values.length * 8,
      notEvaluated: 0,
      scores,
      costUsd,
      tokens: null,
      durationMs: null,
      domains: [],
      private: null,
    },
    values: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, () => values),
    traces: { public: { attempts: values.length * 8, sha256: 'seal' }, private: null },
    sketch,
    findings,
  };
}

/** A submission that is to be published. */
export const publicationOf = (
  submission: string,
  scored: ScoredSubmission,
  more: Partial<Publication> = {},
): Publication => ({
  submission,
  workspace: 'submitter',
  name: `agent ${submission}`,
  tier: 'service',
  submittedAt: at,
  scored,
  approved: null,
  at,
  ...more,
});
