import { noPreflight } from '#core/models/preflight.ts';
import { buildRecordByScorer, getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { agentLimits } from '#core/models/limits.ts';
import { explorationConfig } from '#core/exploration/config.ts';
import { evaluationConfig } from '#core/evaluation/config.ts';
import { standardMounting } from '#core/units/mounting/mounting.ts';
import { noFailures, failureCountsOfTally } from '#core/traces/failure-counts.ts';
import type { AgentResult, EvaluationRecord } from '#core/evaluation/record.ts';
import type { ScoreSummary } from '#core/evaluation/results-record.ts';
import { evolutionConfig } from '#core/exploration/evolution/config.ts';
import type { EvolutionRecord } from '#core/exploration/evolution/record.ts';
import type { EventBody, RunEvent } from '#core/reports/events.ts';
import type { RoundReading } from '#core/exploration/reading-record.ts';
import type { ExplorationRecord } from '#core/exploration/record.ts';

/** A new exploration as the API would return it. */
export const exploration = (changes: Partial<ExplorationRecord> = {}): ExplorationRecord => ({
  id: 'exp_1',
  name: '',
  status: 'running',
  reason: null,
  waiting: null,
  offline: true,
  config: explorationConfig.parse({ catalog: 'cat_1', budget: { rounds: 4 } }),
  models: {
    writer: { baseUrl: 'http://models', model: 'writer' },
    critic: { baseUrl: 'http://models', model: 'critic' },
    agent: { baseUrl: 'http://models', model: 'agent' },
  },
  prices: [],
  preflight: noPreflight,
  estimate: null,
  criticIsWriter: false,
  harness: 'sextant@0.1.0',
  rounds: 0,
  units: { accepted: 0, review: 0, rejected: 0, lost: 0, dropped: 0, probes: 0 },
  toolsExecuted: 0,
  transitions: 0,
  valuesPassed: 0,
  grounding: { searched: 0, grounded: 0, failed: 0 },
  failures: failureCountsOfTally(noFailures),
  serversDown: [],
  setAside: [],
  unwritable: [],
  reading: null,
  usage: { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 },
  createdAt: '2026-01-01T00:00:00.000Z',
  endedAt: null,
  ...changes,
});

/** A new evolution as the API would return it. */
export const evolution = (changes: Partial<EvolutionRecord> = {}): EvolutionRecord => ({
  exploration: 'exp_1',
  number: 1,
  status: 'running',
  reason: null,
  config: evolutionConfig.parse({}),
  estimate: null,
  target: 0,
  compared: 0,
  duplicatesFound: 0,
  comparedByWords: 0,
  embedder: null,
  kept: 0,
  batches: 0,
  variants: { accepted: 0, review: 0, rejected: 0, lost: 0, dropped: 0, duplicate: 0 },
  usage: { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 },
  createdAt: '2026-01-01T00:00:00.000Z',
  endedAt: null,
  ...changes,
});

/** A new evaluation as the API would return it. */
export const evaluation = (changes: Partial<EvaluationRecord> = {}): EvaluationRecord => ({
  id: 'evl_1',
  status: 'running',
  reason: null,
  waiting: null,
  offline: true,
  protocol: 'sgvef',
  config: evaluationConfig.parse({ benchmark: 'bm_1' }),
  agents: ['steady', 'hasty'].map((name) => ({
    name,
    loop: 'function-calling',
    model: `offline-${name}`,
    baseUrl: 'http://models',
    limits: agentLimits.parse({}),
    mounting: standardMounting,
  })),
  judge: { model: 'critic', baseUrl: 'http://models' },
  panel: [],
  prices: [],
  preflight: noPreflight,
  estimate: null,
  rejudges: null,
  provenance: { catalog: 'cat_1', prompts: ['agent@v1'], harness: 'sextant@0.1.0' },
  progress: { attempts: 40, made: 0, notEvaluated: 0, relaunched: 0, units: 10, unitsDone: 0 },
  decision: null,
  usage: { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 },
  judgeUsage: { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 },
  rowsWritten: 0,
  steps: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  endedAt: null,
  ...changes,
});

/** A mean of 0..1 with an interval around it. */
export const summary = (mean: number, changes: Partial<ScoreSummary> = {}): ScoreSummary => ({
  mean,
  low: mean - 0.05,
  high: mean + 0.05,
  n: 10,
  unscored: 0,
  ...changes,
});

const scoresOfAgent = (tcs: number): AgentResult['scores'] => ({
  ...buildRecordByScorer(() => summary(0.5)),
  execution: summary((tcs + 0.7) / 2),
  mtc: summary(0.7),
  tcs: summary(tcs),
  success: summary((tcs + 0.7) / 2),
  ar: summary(0.8),
  uic: summary(0.9),
  tfd: summary(0.1),
  ecg: { ...summary(-0.125), meanAbsolute: 0.2, standardDeviation: 0.1 },
});

/** An agent's results in an evaluation. */
export const agentResult = (name: string, tcs: number, changes: Partial<AgentResult> = {}): AgentResult => ({
  name,
  units: 10,
  scores: scoresOfAgent(tcs),
  parts: buildRecordByScorer((key) =>
    Object.fromEntries(getScorerOrThrow(key).parts.map((part) => [part.key, { mean: 0.25, n: 10 }])),
  ),
  proven: { units: 10, scores: scoresOfAgent(tcs) },
  passes: { trials: 1, atK: [{ k: 1, passAtK: summary(0.4), passHatK: summary(0.4) }] },
  patterns: { 'incomplete-planning': 0, 'poor-noise-robustness': 0, 'unstable-tool-selection': 0 },
  failures: failureCountsOfTally(noFailures),
  answers: { given: 20, withoutCalls: 1, checked: 16, unreturned: 4, unreturnedShare: 0.25 },
  attempts: 20,
  notEvaluated: 0,
  relaunched: 0,
  unscoredReasons: {},
  costUsd: 0,
  tokens: 12_345,
  costUsdPerAttempt: 0,
  tokensPerAttempt: 617.25,
  durationMs: { median: 900, p95: 2_500 },
  perAttempt: { turns: 3.5, tools: 2, calls: 2.25, routes: null },
  routingErrors: null,
  ownTools: null,
  ...changes,
});

export const event = (id: number, body: EventBody): RunEvent => ({ id, at: '2026-01-01T00:01:05.000Z', event: body });

/** What was read after a round. */
export const reading = (changes: Partial<RoundReading> = {}): RoundReading => ({
  round: 1,
  units: { accepted: 7, review: 1, rejected: 1, lost: 1, dropped: 0, probes: 1 },
  probeCoverage: {
    value: 0.5,
    low: 0.31,
    high: 0.69,
    anytimeLow: 0.125,
    transitions: 20,
    probes: 6,
    designEffect: 1.1,
  },
  transitions: 1234,
  n: 2000,
  f1: 900,
  f2: 200,
  f3: 80,
  f1ToF3: 11.25,
  f2ToF3: 2.5,
  valuesPassed: 411,
  allTransitions: {
    possible: 20_306,
    probes: 12,
    estimate: { from: 'recapture', value: 2403, low: 1788, high: 3981 },
    byProbesAlone: { value: 1400, low: 1310, high: 1700 },
  },
  chao1: { estimate: 3259, standardError: 150, low: 2990, high: 3580 },
  sampleCoverage: 0.55,
  transitionCoverage: { value: 0.38, low: 0.34, high: 0.41 },
  nodeCoverage: { value: 0.8, covered: 112, of: 140, setAside: 3 },
  ...changes,
});
