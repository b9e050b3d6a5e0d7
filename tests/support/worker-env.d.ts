/// <reference types="@cloudflare/vitest-plugin/types" />
import type { ShardParams } from '#core/evaluation/shards.ts';
import type { UnitShardParams } from '#core/units/shards.ts';
import type * as main from '../../src/index.ts';

declare global {
  /** What `cloudflare:workers` gives the tests inside workerd. */
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof main;
    }
    interface Env {
      readonly DIRECTORY: DurableObjectNamespace<main.Directory>;
      readonly WORKSPACE: DurableObjectNamespace<main.Workspace>;
      readonly EXPLORATION_RUN: DurableObjectNamespace<main.ExplorationRun>;
      readonly BENCHMARK: DurableObjectNamespace<main.Benchmark>;
      readonly EVALUATION_RUN: DurableObjectNamespace<main.EvaluationRun>;
      readonly ATTEMPT: DurableObjectNamespace<main.Attempt>;
      readonly RECORDING: DurableObjectNamespace<main.Recording>;
      readonly KNOWLEDGE_INDEX: DurableObjectNamespace<main.KnowledgeIndex>;
      readonly SUBMISSION: DurableObjectNamespace<main.Submission>;
      readonly SUBMISSION_WORKFLOW: Workflow<{ run: string; driver: number }>;
      readonly REQUEST_COUNTER: DurableObjectNamespace<main.RequestCounter>;
      readonly LEADERBOARD: DurableObjectNamespace<main.Leaderboard>;
      readonly EXPLORATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
      readonly UNIT_SHARD_WORKFLOW: Workflow<UnitShardParams>;
      readonly EVOLUTION_WORKFLOW: Workflow<{ run: string; evolution: number; driver: number }>;
      readonly REVIEW_WORKFLOW: Workflow<{ run: string; unit: string; driver: number }>;
      readonly EVALUATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
      readonly EVALUATION_SHARD_WORKFLOW: Workflow<ShardParams>;
      readonly ALLOW_LOCAL_SERVERS: string;
    }
  }
}
