import { Attempt } from '#durable-objects/attempt/attempt.ts';
import { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import { Consent } from '#durable-objects/consent/consent.ts';
import { Directory } from '#durable-objects/directory/directory.ts';
import { EndpointGovernor } from '#durable-objects/endpoint-governor/endpoint-governor.ts';
import { EvaluationRun } from '#durable-objects/evaluation/evaluation-run.ts';
import { ExplorationRun } from '#durable-objects/exploration/exploration-run.ts';
import { KnowledgeIndex } from '#durable-objects/knowledge/knowledge-index.ts';
import { Leaderboard } from '#durable-objects/leaderboard/leaderboard.ts';
import { Recording } from '#durable-objects/recording/recording.ts';
import { RequestCounter } from '#durable-objects/request-counter/request-counter.ts';
import { ServerHost } from '#durable-objects/server-host/server-host.ts';
import { Submission } from '#durable-objects/submission/submission.ts';
import { Watch } from '#durable-objects/watch/watch.ts';
import { Workspace } from '#durable-objects/workspace/workspace.ts';
import { makeFailOpenUpstashCounter } from '#adapters/limits/upstash.ts';
import { askDeploymentForCategories, askDeploymentForServerSummary } from '#adapters/model/deployment-critic.ts';
import { askWriterForWording } from '#adapters/model/ask-for-wording.ts';
import { askModelTestQuestion } from '#adapters/model/try-model.ts';
import renderer from '@resvg/resvg-wasm/index_bg.wasm';
import { drawPng } from '#adapters/pictures/draw-png.ts';
import regular from '#adapters/pictures/fonts/inter-regular.ttf';
import semibold from '#adapters/pictures/fonts/inter-semibold.ttf';
import { findProgramRunner, type ProgramBindings } from '#adapters/programs/runner.ts';
import { getDeploymentRedis, settingsSchema } from '#adapters/settings.ts';
import { createApp } from '#api/app.ts';
import type { Api, Services } from '#api/context.ts';
import type { ObjectKind, Objects } from '#api/services.ts';
import { wakeSilentRuns } from '#api/wake-runs.ts';
import { runDueWatches } from '#api/watching/run-watch.ts';

export {
  Attempt,
  Benchmark,
  Consent,
  Directory,
  EndpointGovernor,
  EvaluationRun,
  ExplorationRun,
  KnowledgeIndex,
  Leaderboard,
  Recording,
  RequestCounter,
  ServerHost,
  Submission,
  Watch,
  Workspace,
};
export { EvaluationWorkflow } from '#workflows/evaluation.ts';
export { EvaluationShardWorkflow } from '#workflows/evaluation-shard.ts';
export { EvolutionWorkflow } from '#workflows/evolution.ts';
export { SubmissionWorkflow } from '#workflows/submission.ts';
export { UnitShardWorkflow } from '#workflows/unit-shard.ts';
export { ReviewWorkflow } from '#workflows/review.ts';
export { ExplorationWorkflow } from '#workflows/exploration.ts';

/** The Durable Objects, the loader and the assets of wrangler.toml. */
export interface Bindings extends ProgramBindings {
  /** The built pages. */
  readonly ASSETS: Fetcher;
  readonly ATTEMPT: DurableObjectNamespace<Attempt>;
  readonly BENCHMARK: DurableObjectNamespace<Benchmark>;
  readonly CONSENT: DurableObjectNamespace<Consent>;
  readonly DIRECTORY: DurableObjectNamespace<Directory>;
  readonly ENDPOINT_GOVERNOR: DurableObjectNamespace<EndpointGovernor>;
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly EXPLORATION_RUN: DurableObjectNamespace<ExplorationRun>;
  readonly KNOWLEDGE_INDEX: DurableObjectNamespace<KnowledgeIndex>;
  readonly LEADERBOARD: DurableObjectNamespace<Leaderboard>;
  readonly RECORDING: DurableObjectNamespace<Recording>;
  readonly REQUEST_COUNTER: DurableObjectNamespace<RequestCounter>;
  readonly SERVER_HOST: DurableObjectNamespace<ServerHost>;
  readonly SUBMISSION: DurableObjectNamespace<Submission>;
  readonly WATCH: DurableObjectNamespace<Watch>;
  readonly WORKSPACE: DurableObjectNamespace<Workspace>;
}

/** The composition root: settings from the environment, state from Durable Objects, the API over both. */
function makeServices(env: Bindings): Services {
  const settings = settingsSchema.parse(env);
  const redis = getDeploymentRedis(settings);
  const objects: { readonly [Kind in ObjectKind]: { getByName(name: string): Objects[Kind] } } = {
    attempt: env.ATTEMPT,
    benchmark: env.BENCHMARK,
    consent: env.CONSENT,
    evaluation: env.EVALUATION_RUN,
    exploration: env.EXPLORATION_RUN,
    host: env.SERVER_HOST,
    knowledge: env.KNOWLEDGE_INDEX,
    leaderboard: env.LEADERBOARD,
    recording: env.RECORDING,
    submission: env.SUBMISSION,
    watch: env.WATCH,
    workspace: env.WORKSPACE,
    requestCounter:
      redis === undefined ? env.REQUEST_COUNTER : { getByName: (name) => makeFailOpenUpstashCounter(redis, name) },
  };
  return {
    settings,
    // Requested again for each request, because a stub belongs to its request.
    get directory() {
      return env.DIRECTORY.getByName('directory');
    },
    object: (kind, name) => objects[kind].getByName(name),
    governor: (name) => env.ENDPOINT_GOVERNOR.getByName(name),
    askForCategories: (tools, admission) => askDeploymentForCategories(settings, tools, admission),
    tryModel: askModelTestQuestion,
    runsPrograms: findProgramRunner(env, settings) !== null,
    drawPng: (svg) => drawPng({ renderer, fonts: [regular, semibold] }, svg),
    readPage: () => env.ASSETS.fetch('https://assets.local/app.html'),
    askForServerSummary: (server, tools, admission) =>
      askDeploymentForServerSummary(settings, server, tools, admission),
    askForWording: (writer, material, seed, admission) =>
      askWriterForWording(settings, writer, material, seed, {
        admission,
        governors: (name) => env.ENDPOINT_GOVERNOR.getByName(name),
      }),
    pageCache: settings.NO_PAGE_CACHE
      ? null
      : { match: (url) => caches.default.match(url), put: (url, response) => caches.default.put(url, response) },
  };
}

/** The API of an environment, built once per process, because building all routes costs more than most requests. */
const apis = new WeakMap<Bindings, Api>();

function getOrMakeApi(env: Bindings): Api {
  const made = apis.get(env) ?? createApp(makeServices(env));
  apis.set(env, made);
  return made;
}

export default {
  fetch(request, env, context) {
    return getOrMakeApi(env).fetch(request, env, context);
  },

  /** Looks after runs whose driver is silent, and makes the visits of watches that are due. Neither keeps the other from it. */
  async scheduled(_controller, env) {
    const services = makeServices(env);
    const done = await Promise.allSettled([wakeSilentRuns(services), runDueWatches(services)]);
    for (const each of done) if (each.status === 'rejected') throw each.reason;
  },
} satisfies ExportedHandler<Bindings>;
