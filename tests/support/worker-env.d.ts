/** What `cloudflare:workers` gives the tests inside workerd. */
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import('../../src/index.ts');
  }
  interface Env {
    readonly DIRECTORY: DurableObjectNamespace<import('../../src/index.ts').Directory>;
    readonly WORKSPACE: DurableObjectNamespace<import('../../src/index.ts').Workspace>;
    readonly EXPLORATION_RUN: DurableObjectNamespace<import('../../src/index.ts').ExplorationRun>;
    readonly BENCHMARK: DurableObjectNamespace<import('../../src/index.ts').Benchmark>;
    readonly EXPLORATION_WORKFLOW: Workflow<{ run: string; driver: number }>;
  }
}
