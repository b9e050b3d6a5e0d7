import type { ServerConnection } from '#core/catalog/server.ts';
import type { ExplorationConfig } from '#core/exploration/config.ts';
import type { KnowledgeConnection } from '#core/similarity/knowledge/record.ts';
import type { StoredModels } from '#core/models/choices.ts';
import type { AgentLimits } from '#core/models/limits.ts';
import type { UserPolicy } from '#core/models/simulated-user/asked-question.ts';

/** What is the same for all units of a run. */
export interface RunContext {
  readonly workspace: string;
  readonly seed: number;
  /** The languages of requests. */
  readonly languages: readonly string[];
  readonly models: StoredModels;
  readonly servers: readonly ServerConnection[];
  readonly agent: AgentLimits;
  /** What is answered when a server asks its user in a call. */
  readonly user: UserPolicy;
  /** The index and namespace in which units are grounded; null if they are not. */
  readonly knowledge: {
    readonly index: KnowledgeConnection;
    readonly namespace: string;
    /** Number of passages that the writer sees. */
    readonly passages: number;
  } | null;
}

/** Returns what is the same for all units of a run that was created like this. */
export function makeSharedUnitContext({
  workspace,
  config: { seed, languages, agent, user = 'decline', knowledge: chosen },
  models,
  servers,
  knowledge,
}: Pick<RunContext, 'workspace' | 'models' | 'servers'> & {
  readonly config: ExplorationConfig;
  readonly knowledge: KnowledgeConnection | null;
}): RunContext {
  const grounded =
    knowledge === null || chosen === undefined
      ? null
      : { index: knowledge, namespace: chosen.namespace, passages: chosen.passages };
  return { workspace, seed, languages, models, servers, agent, user, knowledge: grounded };
}
