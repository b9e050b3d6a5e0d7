import { protocolKey, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { shownRest } from '#core/models/governor/undone-stage.ts';
import { z } from 'zod';
import type { ServerConnection } from '#core/catalog/server.ts';
import type { StoredModel } from '#core/models/choices.ts';
import { failurePatterns } from '#core/scoring/failure-patterns.ts';
import { scorerKeys } from './scorers.ts';
import { runStatus } from '#core/exploration/runs.ts';
import { failureCounts } from '#core/traces/failure-counts.ts';
import { trace } from '#core/traces/trace.ts';
import { costEstimate, type CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { usedPrice } from '#core/models/list-prices.ts';
import { preflight, type Preflight } from '#core/models/preflight.ts';
import { usage } from '#core/models/usage.ts';
import { userPolicy } from '#core/models/simulated-user/asked-question.ts';
import { serverIsolation } from '#core/catalog/isolation/server-isolation.ts';
import { mountedSummary } from '#core/units/mounting/mounted-counts.ts';
import { shownOverlay } from './overlay/overlay.ts';
import { evaluationCase } from './case.ts';
import { disturbanceFigures } from './disturbance-figures.ts';
import { decision } from './decision.ts';
import { crashCounts } from './crashes.ts';
import { subIntentPlan } from './sub-intent-plan.ts';
import { requestName } from '#core/benchmarks/protocols/case-requests.ts';
import { benchmarkFloor } from './floor.ts';
import { measuredJudging } from './judge-measure/judge-measure.ts';
import { evaluationProgress } from './progress-record.ts';
import { evaluationConfig, shownAgent, type EvaluationConfig, type StoredAgent } from './config.ts';
import {
  answerCounts,
  durations,
  perAttempt,
  routingErrors,
  paired,
  passes,
  scoreSummary,
  passComparison,
  unscoredAttempts,
  partMeans,
} from './results-record.ts';
import { ownTools } from './own-tools.ts';

/** What the scores of an evaluation depend on besides its agents, judges and config. */
export const provenance = z.object({
  /**
   * The hash of the tools that agents may see: the benchmark's catalog, unless the servers' current tools were chosen.
   */
  catalog: z.string(),
  /** `name@version` of the prompts. */
  prompts: z.array(z.string()).readonly(),
  harness: z.string(),
});
export type Provenance = z.infer<typeof provenance>;

/** Everything for creating an evaluation after its tools and units are stored. */
export interface NewEvaluation {
  readonly id: string;
  readonly workspace: string;
  readonly config: EvaluationConfig;
  /** How its units are evaluated. */
  readonly protocol: ProtocolKey;
  readonly agents: readonly StoredAgent[];
  readonly judge: StoredModel;
  /** The seed of the judges, where it is not the evaluation's. */
  readonly judgeSeed?: number;
  /** The judges beside it that are asked for verdicts too. */
  readonly panel: readonly StoredModel[];
  readonly embedder: StoredModel;
  readonly estimate?: CostEstimate | undefined;
  readonly servers: readonly ServerConnection[];
  /** The workspace where these are registered, if it is another: that of a submission's leaderboard. */
  readonly serversOf?: string;
  /** The names of its tools, and how many units it has. */
  readonly tools: readonly string[];
  readonly units: number;
  readonly offline: boolean;
  /** The submission that it scores, if any. */
  readonly submission: string | null;
  /** The object of the benchmark whose floor it measures, if any. */
  readonly floorOf: string | null;
  /** Set if it measures its judge on attempts whose verdict is known. */
  readonly measuresJudge?: true;
  /** The units that the evaluation left out that it judges again, because wordings were written from them. */
  readonly seen?: readonly string[] | undefined;
  /** The evaluation whose attempts it judges again, if any. */
  readonly rejudges: string | null;
  readonly preflight: Preflight;
  readonly at: string;
}

/** What another evaluation of the same agents on the same units begins with. */
export type EvaluationToRepeat = Pick<
  NewEvaluation,
  'config' | 'agents' | 'judge' | 'panel' | 'embedder' | 'estimate' | 'preflight' | 'protocol'
>;

/** The agents that follow rules instead of asking a model; absent if there is none. */
const ruleAgents = z
  .array(z.string())
  .optional()
  .describe(
    'Agents that follow rules: null agents, and those of an offline deployment. What they get wrong is no evidence about models or about the words of tools.',
  );

const shownJudge = z.object({ model: z.string(), baseUrl: z.string() });

/** An evaluation as clients see it. */
export const evaluationRecord = z.object({
  id: z.string(),
  status: runStatus,
  reason: z.string().nullable(),
  /** The last time that the endpoint of a model took no requests until then, and work waited; null if there was none. */
  waiting: shownRest.nullable(),
  /** True if rules replaced models. */
  offline: z.boolean(),
  /** How its units are evaluated. */
  protocol: protocolKey,
  config: evaluationConfig,
  agents: z.array(shownAgent),
  ruleAgents,
  judge: shownJudge,
  /** The judges beside it that are asked for verdicts too; the majority decides. */
  panel: z.array(shownJudge),
  /** By what its costs are computed, for each model that has a price. */
  prices: z.array(usedPrice),
  /** What it was expected to take when it was created; null in runs of earlier releases, and in those that judge again. */
  estimate: costEstimate.nullable(),
  /** The evaluation whose attempts it judges again; null if it made its own. */
  rejudges: z.string().nullable(),
  provenance,
  preflight,
  progress: evaluationProgress,
  /** What the units that were drawn so far say of its agents; null where all units are taken. */
  decision: decision.nullable(),
  /** Usage of the agents and, separately, of the judges. */
  usage,
  judgeUsage: usage,
  /** The cost on the platform so far: rows written to storage, steps of workflows. */
  rowsWritten: z.int(),
  steps: z.int(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type EvaluationRecord = z.infer<typeof evaluationRecord>;

export const agentResult = z.object({
  name: z.string(),
  units: z.int(),
  /** By scorer: means over units. */
  scores: z.record(z.enum(scorerKeys), scoreSummary),
  /** What the scores are made of. */
  parts: partMeans,
  /** The scores over the units that are proven: each tool of their chain is known to work from when they were made. */
  proven: z.object({ units: z.int(), scores: z.record(z.enum(scorerKeys), scoreSummary) }),
  /** Null where the protocol has no verdict. */
  passes: passes.nullable(),
  /** How many cases show each failure pattern. */
  patterns: z.record(z.enum(failurePatterns), z.int()),
  failures: failureCounts,
  answers: answerCounts,
  attempts: z.int(),
  notEvaluated: z.int(),
  /** Attempts that were repeated after an infrastructure fault. */
  relaunched: z.int(),
  unscoredReasons: unscoredAttempts,
  /**
   * Cost of the agent, including tries that faults broke and excluding the judges. Null where we saw no model call, as with
   * external agents.
   */
  costUsd: z.number().nullable(),
  tokens: z.int().nullable(),
  /** Means; null without attempts. */
  costUsdPerAttempt: z.number().nullable(),
  tokensPerAttempt: z.number().nullable(),
  durationMs: durations,
  perAttempt,
  routingErrors,
  ownTools,
  /** What disturbances change, of all kinds together and of each kind; absent where nothing was disturbed. */
  disturbances: z.array(disturbanceFigures).optional(),
});
export type AgentResult = z.infer<typeof agentResult>;

/** Which tools an agent saw. */
const agentMounted = z
  .object({
    agent: z.string(),
    ...mountedSummary.shape,
    /** Under which overlay it read them; absent if it read what the servers say. */
    overlay: shownOverlay.optional(),
  })
  .meta({ id: 'AgentMounted' });
export type AgentMounted = z.infer<typeof agentMounted>;

export const evaluationResults = z.object({
  /** How its units are evaluated; the scorers that it does not ask for are unscored. */
  protocol: protocolKey,
  agents: z.array(agentResult),
  ruleAgents,
  /** Which tools each agent saw: its figures depend on it. */
  mounted: z.array(agentMounted),
  /** Attempts of external agents that crashed, by agent; absent if none did. */
  crashes: z.array(crashCounts).optional(),
  /** How attempts were kept apart on each server. */
  isolation: z.array(serverIsolation),
  /** What was answered when servers asked their user in calls. */
  user: userPolicy,
  /** What the drawn units say of the agents, with means over all planned units; absent where all units are taken. */
  decision: decision.optional(),
  /**
   * What agents that know nothing score: the null agents of this evaluation, or else those that measured the benchmark's floor.
   * Null if nobody has measured it.
   */
  floor: benchmarkFloor.nullable(),
  /** How well its judges read attempts whose verdict is known; absent where nobody judges. */
  judging: measuredJudging.optional(),
  /** In what the agents' requests differed from what was to be sent, such as `seed: none`, or `without files__read` for a tool that was left out. */
  adaptations: z.array(z.string()),
});
export type EvaluationResults = z.infer<typeof evaluationResults>;

/** Compares two agents on the units on which both are scored; differences are the first minus the second. */
export const comparison = z.object({
  a: z.string(),
  b: z.string(),
  /** By scorer. If values near 0 are best, absolute values are compared. */
  scores: z.partialRecord(z.enum(scorerKeys), paired),
  /** Null where the protocol has no verdict. */
  passes: passComparison.nullable(),
  ruleAgents,
});
export type Comparison = z.infer<typeof comparison>;

export const caseDetail = z.object({
  case: evaluationCase,
  /** The traces of the attempts that were made, by request. */
  traces: z.record(requestName, trace),
  /** What each of its requests asks. */
  asked: z.record(requestName, z.string()),
  /** The tools that its unit expects, in order; empty if it names none. */
  chain: z.array(z.string()),
  /** The sub-intents of its unit, or the key points that its task states, or why there are none; null if nobody has planned them. */
  plan: subIntentPlan.nullable(),
});
export type CaseDetail = z.infer<typeof caseDetail>;
