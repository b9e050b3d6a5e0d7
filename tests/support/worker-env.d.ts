/// <reference types="@cloudflare/vitest-plugin/types" />
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
      readonly EXPLORATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
      readonly EVALUATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
      readonly ALLOW_LOCAL_SERVERS: string;
    }
  }
}
