// First of all: it teaches zod the method `openapi`, which every schema that is made later has.
import '@hono/zod-openapi';
import type * as objects from '#durable-objects/index.ts';
import { upstashCounter } from '#adapters/limits/upstash.ts';
import { deploymentRedis, settingsSchema } from '#adapters/settings.ts';
import { createApp } from '#api/app.ts';
import type { Api, Services } from '#api/context.ts';
import { wakeSilentRuns } from '#api/wake-runs.ts';

export * from '#durable-objects/index.ts';
export { EvaluationWorkflow } from '#workflows/evaluation.ts';
export { EvaluationShardWorkflow } from '#workflows/evaluation-shard.ts';
export { EvolutionWorkflow } from '#workflows/evolution.ts';
export { SubmissionWorkflow } from '#workflows/submission.ts';
export { UnitShardWorkflow } from '#workflows/unit-shard.ts';
export { ReviewWorkflow } from '#workflows/review.ts';
export { ExplorationWorkflow } from '#workflows/exploration.ts';

interface Env {
  readonly DIRECTORY: DurableObjectNamespace<objects.Directory>;
  readonly WORKSPACE: DurableObjectNamespace<objects.Workspace>;
  readonly EXPLORATION_RUN: DurableObjectNamespace<objects.ExplorationRun>;
  readonly BENCHMARK: DurableObjectNamespace<objects.Benchmark>;
  readonly EVALUATION_RUN: DurableObjectNamespace<objects.EvaluationRun>;
  readonly ATTEMPT: DurableObjectNamespace<objects.Attempt>;
  readonly RECORDING: DurableObjectNamespace<objects.Recording>;
  readonly KNOWLEDGE_INDEX: DurableObjectNamespace<objects.KnowledgeIndex>;
  readonly SUBMISSION: DurableObjectNamespace<objects.Submission>;
  readonly REQUEST_COUNTER: DurableObjectNamespace<objects.RequestCounter>;
  readonly LEADERBOARD: DurableObjectNamespace<objects.Leaderboard>;
}

/** The composition root: settings from the environment, state from Durable Objects, the API over both. */
function compose(env: Env): Services {
  const settings = settingsSchema.parse(env);
  const redis = deploymentRedis(settings);
  return {
    settings,
    // Asked for anew by each request, which an object's stub belongs to.
    get directory() {
      return env.DIRECTORY.getByName('directory');
    },
    workspace: (id) => env.WORKSPACE.getByName(id),
    exploration: (object) => env.EXPLORATION_RUN.getByName(object),
    evaluation: (object) => env.EVALUATION_RUN.getByName(object),
    benchmark: (object) => env.BENCHMARK.getByName(object),
    attempt: (id) => env.ATTEMPT.getByName(id),
    recording: (object) => env.RECORDING.getByName(object),
    knowledge: (object) => env.KNOWLEDGE_INDEX.getByName(object),
    submission: (id) => env.SUBMISSION.getByName(id),
    requestCounter: (name) => (redis === undefined ? env.REQUEST_COUNTER.getByName(name) : upstashCounter(redis, name)),
    leaderboard: (id) => env.LEADERBOARD.getByName(id),
    pageCache: settings.NO_PAGE_CACHE
      ? null
      : { match: (url) => caches.default.match(url), put: (url, response) => caches.default.put(url, response) },
  };
}

/** The API of an environment, of which a process has one: to make all routes anew would cost more than most requests. */
const apis = new WeakMap<Env, Api>();

function apiOf(env: Env): Api {
  const made = apis.get(env) ?? createApp(compose(env));
  apis.set(env, made);
  return made;
}

export default {
  fetch(request, env, context) {
    return apiOf(env).fetch(request, env, context);
  },

  /** Looks after runs whose driver has gone silent. */
  async scheduled(_controller, env) {
    await wakeSilentRuns(compose(env));
  },
} satisfies ExportedHandler<Env>;
