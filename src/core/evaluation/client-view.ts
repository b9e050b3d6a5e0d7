import { namesOfRuleAgents } from './rule-agents.ts';
import { makeShownModelRest, type AwaitedRest } from '#core/models/governor/undone-stage.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import type { Decision } from './decision.ts';
import type { Disturbing } from './disturbing.ts';
import { makeShownAgent, modelsOfAgent, type EvaluationConfig, type StoredAgent } from './config.ts';
import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import type { EvaluationProgress } from './progress-record.ts';
import type { EvaluationRecord, Provenance } from './record.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import type { StoredModel } from '#core/models/choices.ts';
import { listUsedPrices } from '#core/models/list-prices.ts';
import type { Preflight } from '#core/models/preflight.ts';
import type { UserPolicy } from '#core/models/simulated-user/asked-question.ts';
import type { Usage } from '#core/models/usage.ts';
import type { ScoringParameters } from '#core/scoring/parameters.ts';
import type { RunStatus } from '#core/exploration/runs.ts';

/** How an evaluation was created. */
interface EvaluationCreation {
  readonly id: string;
  readonly workspace: string;
  /** The seed of the judges, where it is not the evaluation's; no agent runs then. */
  readonly judgeSeed?: number | undefined;
  readonly config: EvaluationConfig;
  readonly agents: readonly StoredAgent[];
  readonly judge: StoredModel;
  /** The judges beside it that are asked for verdicts too. */
  readonly panel: readonly StoredModel[];
  readonly embedder: StoredModel;
  readonly estimate?: CostEstimate | undefined;
  readonly servers: readonly ServerConnection[];
  /** The workspace where these are registered, if it is another. */
  readonly serversOf?: string | undefined;
  readonly offline: boolean;
  readonly protocol: ProtocolKey;
  readonly rejudges: string | null;
  readonly provenance: Provenance;
  readonly preflight: Preflight;
  readonly at: string;
}

/** The state of an evaluation. */
interface EvaluationStanding {
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly awaits: AwaitedRest | null;
  readonly progress: EvaluationProgress;
  readonly usage: Usage;
  readonly judgeUsage: Usage;
  readonly rowsWritten: number;
  readonly steps: number;
  readonly decision?: Decision | undefined;
  readonly endedAt: string | null;
}

/** Returns an evaluation as its owner sees it: without keys. */
export function makeEvaluationRecord(creation: EvaluationCreation, standing: EvaluationStanding): EvaluationRecord {
  const { id, config, agents, judge, panel, embedder, offline, protocol, provenance, preflight, rejudges, at } =
    creation;
  const {
    status,
    reason,
    awaits,
    progress,
    usage,
    judgeUsage,
    rowsWritten,
    steps,
    decision = null,
    endedAt,
  } = standing;
  const rules = namesOfRuleAgents(agents, offline);
  return {
    id,
    status,
    reason,
    waiting: makeShownModelRest(awaits),
    offline,
    protocol,
    config,
    agents: agents.map((agent) => makeShownAgent(agent, config.mounting)),
    ...(rules.length === 0 ? {} : { ruleAgents: rules }),
    judge: makeShownJudge(judge),
    panel: panel.map(makeShownJudge),
    prices: listUsedPrices([
      ...agents.flatMap((agent) => modelsOfAgent(agent).map((model) => ({ of: agent.name, model }))),
      ...(config.judges
        ? [
            { of: 'judge', model: judge },
            ...panel.map((model) => ({ of: 'panel', model })),
            { of: 'embedder', model: embedder },
          ]
        : []),
    ]),
    estimate: creation.estimate ?? null,
    rejudges,
    provenance,
    preflight,
    progress,
    decision,
    usage,
    judgeUsage,
    rowsWritten,
    steps,
    createdAt: at,
    endedAt,
  };
}

const makeShownJudge = ({ model, baseUrl }: StoredModel): EvaluationRecord['judge'] => ({ model, baseUrl });

/** What is the same for all cases of an evaluation. */
export interface EvaluationContext {
  readonly id: string;
  /** The workspace where its servers are registered. */
  readonly serversOf: string;
  readonly seed: number;
  readonly judges: boolean;
  /** What is answered when a server asks its user in a call. */
  readonly user: UserPolicy;
  readonly protocol: ProtocolKey;
  readonly scoring: ScoringParameters;
  readonly recording: Pick<EvaluationConfig, 'recording' | 'recordingId'>;
  /** The texts that attacks plant; undefined for the shipped ones. */
  readonly payloads: Disturbing['payloads'];
  readonly agents: readonly StoredAgent[];
  readonly judge: StoredModel;
  /** The judges beside it that are asked for verdicts too. */
  readonly panel: readonly StoredModel[];
  readonly embedder: StoredModel;
  readonly servers: readonly ServerConnection[];
  /** The evaluation whose attempts it judges again, or null. */
  readonly rejudges: string | null;
}

export function makeEvaluationContext({
  id,
  workspace,
  judgeSeed,
  protocol,
  config,
  agents,
  judge,
  panel,
  embedder,
  servers,
  serversOf,
  rejudges,
}: EvaluationCreation): EvaluationContext {
  const { seed, judges, user = 'decline', scoring, recording, recordingId, disturb } = config;
  return {
    id,
    serversOf: serversOf ?? workspace,
    seed: judgeSeed ?? seed,
    payloads: disturb?.payloads,
    judges,
    user,
    protocol,
    scoring,
    recording: recordingId === undefined ? { recording } : { recording, recordingId },
    agents,
    judge,
    panel,
    embedder,
    servers,
    rejudges,
  };
}
