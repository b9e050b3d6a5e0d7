import { z } from 'zod';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { StoredModel } from '#core/exploration/models.ts';
import { failurePatterns } from '#core/metrics/failure-patterns.ts';
import { runStatus } from '#core/runs.ts';
import { verdicts } from '#core/statistics/verdict.ts';
import { trace } from '#core/traces/trace.ts';
import { usage } from '#core/units/unit.ts';
import { evaluationCase } from './case.ts';
import { evaluationProgress } from './progress-record.ts';
import { evaluationConfig, shownAgent, type EvaluationConfig, type StoredAgent } from './config.ts';

/** All that an evaluation needs to be born. */
export interface NewEvaluation {
  readonly id: string;
  readonly workspace: string;
  readonly config: EvaluationConfig;
  readonly agents: readonly StoredAgent[];
  readonly judge: StoredModel;
  readonly embedder: StoredModel;
  readonly servers: readonly ServerConnection[];
  readonly tools: readonly Tool[];
  readonly units: readonly BenchmarkUnit[];
  readonly offline: boolean;
  readonly at: string;
}

/** An evaluation as a client sees it. */
export const evaluationRecord = z.object({
  id: z.string(),
  status: runStatus,
  reason: z.string().nullable(),
  /** True where rules stood in for models. */
  offline: z.boolean(),
  config: evaluationConfig,
  agents: z.array(shownAgent),
  judge: z.object({ model: z.string(), baseUrl: z.string() }),
  harness: z.string(),
  progress: evaluationProgress,
  /** Of the agents, and of the judges. */
  usage,
  judgeUsage: usage,
  /** What the run has cost the platform so far: rows written to its storage, steps of its workflows. */
  rowsWritten: z.int(),
  steps: z.int(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type EvaluationRecord = z.infer<typeof evaluationRecord>;

/** A mean over units with its 95% bootstrap interval; units stay whole in the resampling. */
const summary = z.object({
  mean: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: z.int(),
  /** Units without a score: left out of the mean, never counted as zero. */
  unscored: z.int(),
});

export const agentResult = z.object({
  name: z.string(),
  units: z.int(),
  tcs: summary,
  mtc: summary,
  tfd: summary,
  ar: summary,
  uic: summary,
  ecg: summary.extend({ meanAbsolute: z.number().nullable(), standardDeviation: z.number().nullable() }),
  pass: summary,
  /** How many units show which pattern of failure. */
  patterns: z.record(z.enum(failurePatterns), z.int()),
  attempts: z.int(),
  notEvaluated: z.int(),
  costUsd: z.number(),
  tokens: z.int(),
});
export type AgentResult = z.infer<typeof agentResult>;

export const evaluationResults = z.object({ agents: z.array(agentResult) });
export type EvaluationResults = z.infer<typeof evaluationResults>;

const paired = z.object({
  difference: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: z.int(),
  leftOut: z.int(),
  verdict: z.enum(verdicts),
});

/** Two agents on the units that both were scored on; differences are the first less the second. */
export const comparison = z.object({
  a: z.string(),
  b: z.string(),
  tcs: paired,
  mtc: paired,
  tfd: paired,
  ar: paired,
  uic: paired,
});
export type Comparison = z.infer<typeof comparison>;

export const caseDetail = z.object({
  case: evaluationCase,
  traces: z.object({ source: trace.nullable(), followUp: trace.nullable() }),
});
export type CaseDetail = z.infer<typeof caseDetail>;
