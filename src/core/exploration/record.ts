import { unitCounts } from './counts.ts';
import { shownRest } from '#core/models/governor/undone-stage.ts';
import type { Sight } from '#core/access/access.ts';
import { z } from 'zod';
import { runStatus } from './runs.ts';
import { trace } from '#core/traces/trace.ts';
import { failureCounts } from '#core/traces/failure-counts.ts';
import { preflight, type Preflight } from '#core/models/preflight.ts';
import { usage } from '#core/models/usage.ts';
import { lineage, stage, unit, unitStatus, type UnitOrigin, type UnitStatus } from '#core/units/unit.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import type { ServerSurvey } from '#core/catalog/survey.ts';
import { tool, type Tool } from '#core/catalog/tool.ts';
import { explorationConfig, type ExplorationConfig } from './config.ts';
import type { KnowledgeConnection } from '#core/similarity/knowledge/record.ts';
import { explorationRole, type StoredModels } from '#core/models/choices.ts';
import { costEstimate, type CostEstimate } from './estimates/cost-estimate.ts';
import { usedPrice } from '#core/models/list-prices.ts';
import { groundingCounts } from '#core/units/grounding-counts.ts';
import { roundReading } from './reading-record.ts';

/** A tool for which the writer could not write a request. */
export const unwritableRecord = z.object({
  tool: z.string(),
  /** Units whose writer named it. */
  units: z.int(),
  /** What the writer would have to know, as it last said. */
  missing: z.string(),
});
export type UnwritableRecord = z.infer<typeof unwritableRecord>;

/** An exploration as clients see it. */
export const explorationRecord = z.object({
  id: z.string(),
  name: z.string(),
  status: runStatus,
  /** Why it ended; null while it runs. */
  reason: z.string().nullable(),
  /** The last time that the endpoint of a model took no requests until then, and work waited; null if there was none. */
  waiting: shownRest.nullable(),
  /** True if rules replaced models: the figures show that the machinery works and say nothing about models. */
  offline: z.boolean(),
  config: explorationConfig,
  models: z.record(explorationRole, z.object({ baseUrl: z.string(), model: z.string() })),
  /** By what its costs are computed, for each model that has a price. */
  prices: z.array(usedPrice),
  /** What it was expected to take when it was created; null in runs of earlier releases. */
  estimate: costEstimate.nullable(),
  /** Whether the critic is the writer's own model, which then audits what it wrote itself. */
  criticIsWriter: z.boolean(),
  preflight,
  harness: z.string(),
  /** Committed rounds. */
  rounds: z.int(),
  units: unitCounts,
  /** Distinct tools that a steered unit called successfully. */
  toolsExecuted: z.int(),
  transitions: z.int(),
  /** How many of these passed a value of an earlier result as an argument of the later call. */
  valuesPassed: z.int(),
  /** Grounding in committed rounds: how many units needed a fact, and for how many the index failed. */
  grounding: groundingCounts,
  /** Failed calls of the base agent in units of committed rounds, by class; a unit in review counts after its decision. */
  failures: failureCounts,
  serversDown: z.array(z.string()),
  setAside: z.array(z.string()),
  /** The tools that the writer named as unwritable in committed rounds. */
  unwritable: z.array(unwritableRecord),
  reading: roundReading.nullable(),
  usage: usage.describe(
    'What the units of the committed rounds cost; that of each unit, of the present round too, is in its own `usage`.',
  ),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type ExplorationRecord = z.infer<typeof explorationRecord>;

export const unitSummary = z.object({
  id: z.string(),
  round: z.int(),
  index: z.int(),
  probe: z.boolean(),
  lineage: lineage.nullable(),
  stage: stage,
  status: unitStatus.nullable(),
  source: z.string().nullable(),
  followUp: z.string().nullable(),
  chain: z.array(z.string()),
  /** The score of the last audit. */
  score: z.number().nullable(),
  usage,
});
export type UnitSummary = z.infer<typeof unitSummary>;

export const unitDetail = z.object({
  unit,
  traces: z.object({ source: trace.nullable(), followUp: trace.nullable() }),
});
export type UnitDetail = z.infer<typeof unitDetail>;

export const domainTransition = z.object({
  from: z.string(),
  to: z.string(),
  /** Distinct transitions between tools of these domains, and how often units executed them. */
  transitions: z.int(),
  observations: z.int(),
});
export type DomainTransition = z.infer<typeof domainTransition>;

/** Everything that a new run needs; it asks for nothing later. */
export interface NewExploration {
  readonly id: string;
  readonly workspace: string;
  readonly config: ExplorationConfig;
  readonly models: StoredModels;
  readonly servers: readonly ServerConnection[];
  /** How to reach the index of `config.knowledge`; null without one. */
  readonly knowledge: KnowledgeConnection | null;
  readonly tools: readonly Tool[];
  /** What its servers returned when they were listed; shown to the writer. */
  readonly surveys: readonly ServerSurvey[];
  readonly offline: boolean;
  readonly preflight: Preflight;
  readonly estimate?: CostEstimate | undefined;
  readonly at: string;
}

/** Which reviews to list: `open` ones wait for a decision, `decided` ones have one. Null for any. */
export interface ReviewFilter {
  readonly state: 'open' | 'decided';
  readonly origin: UnitOrigin | null;
  readonly tool: string | null;
}

/** Everything that a reviewer needs to decide on a unit. */
export const reviewDetail = z.object({
  exploration: z.string(),
  /** Both requests, the audits with their issues, the facts, the earlier wordings, the decisions. */
  unit,
  /** The tools of the chain with their schemas, in its order. */
  tools: z.array(tool),
  open: z.boolean(),
});
export type ReviewDetail = z.infer<typeof reviewDetail>;

/** The agreement of reviewers and the critic, over the first decision on each unit. */
export const agreement = z.object({
  open: z.int(),
  decided: z.int(),
  approved: z.int(),
  edited: z.int(),
  rejected: z.int(),
  /** Share of decisions that match the critic's vote; null before the first. */
  accuracy: z.number().nullable(),
  /** Cohen's kappa; null if chance alone would agree on everything. */
  kappa: z.number().nullable(),
});
export type Agreement = z.infer<typeof agreement>;

/** Who decides on a unit in review. */
export interface Reviewer {
  /** The key's id. */
  readonly key: string;
  readonly sight: Sight;
}

/** Units that a caller may see. */
export interface SeenUnits {
  readonly units: readonly UnitSummary[];
  /** Number of units of the run that the caller may not see. */
  readonly withheld: number;
}

/** Which units to list; null for any. */
export interface UnitFilter {
  readonly status: UnitStatus | null;
  readonly probe: boolean | null;
  readonly origin: UnitOrigin | null;
  readonly round: number | null;
  /** A tool in the chain. */
  readonly tool: string | null;
}
