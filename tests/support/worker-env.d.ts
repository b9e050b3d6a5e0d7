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
    interface Env extends main.Bindings {
      readonly SUBMISSION_WORKFLOW: Workflow<{ run: string; driver: number }>;
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
