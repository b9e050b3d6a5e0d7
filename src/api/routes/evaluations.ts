import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Settings } from '#adapters/settings.ts';
import {
  agentChoice,
  evaluationConfig,
  type EvaluationConfig,
  isModelAgent,
  modelsOfAgent,
  mountingOfAgent,
  type StoredAgent,
  type StoredModelAgent,
} from '#core/evaluation/config.ts';
import { doesLoopSearch } from '#core/benchmarks/protocols/loops.ts';
import { estimateEvaluation, isSimilarEvaluationWithEnoughAttempts } from '#core/evaluation/estimate-evaluation.ts';
import { createEvaluationOnBasis, type EvaluationBasis } from '#core/evaluation/create-on-basis.ts';
import { gatherEvaluationBasisOrRefuse, type GatheredBasis } from '#core/evaluation/gather-basis.ts';
import { evaluationRecord, type NewEvaluation } from '#core/evaluation/record.ts';
import { problemOfEvaluationRefusal, type EvaluationRefusal } from '#core/evaluation/problems.ts';
import { mapErr } from '#core/values/result.ts';
import type { ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import { mounting, type Mounting } from '#core/units/mounting/mounting.ts';
import { estimateEvaluationRequestsByHost } from '#core/exploration/estimates/expected-requests.ts';
import { applyOverlay } from '#core/evaluation/overlay/apply-overlay.ts';
import { overlayWithHash } from '#core/evaluation/overlay/overlay.ts';
import { listUnitsThatWordingsWereWrittenFrom } from '#core/evaluation/overlay/written-from.ts';
import { countRequestsOfCase, getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { findUnfitDisturbing } from '#core/evaluation/disturbing.ts';
import { modelWithListPriceIfUnpriced } from '#core/models/list-prices.ts';
import type { StoredModel } from '#core/models/choices.ts';
import { listToolsOfLargestMount } from '#core/units/mounting/largest-mount.ts';
import { listOwnJudgeWarnings } from '#core/evaluation/own-judges.ts';
import { refuseBudgetWithoutPrices } from '#core/models/unpriced.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { retrievalChoice, type RetrievalChoice, type StoredRetrieval } from '#core/models/retrieval.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { readEarlierOutcomes } from '../earlier-outcomes.ts';
import { dryRunQuery, dryRunResponse, findLatestSimilarRun } from '../dry-run.ts';
import {
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonBody,
  describeCreatedResponse,
} from '../endpoint.ts';
import { throwIfAttackOnForeignServers } from '../refuse-foreign-attacks.ts';
import { makeRepeatableCreatingCall, idempotencyHeader } from '../idempotency.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { type Asking, type FirstTurn, type NamedModel, requireWorkingModels } from '../preflight.ts';
import { pickRulesByServer } from '#core/catalog/redaction/rules.ts';
import { listSeenUnitsWarnings, throwIfOverlaysUnfit } from '../overlays.ts';
import { requireOwnedObject } from '../owned.ts';
import { bodyProblems, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import type { BenchmarkService } from '../services.ts';
import { judgeChoices, listJudgeModels, prepareJudgesForStorage, type JudgeChoices } from '../stored-judges.ts';
import { makeStoredGatewayModels, prepareModelForStorage } from '../stored-model.ts';
import { listUnprovenHostWarnings } from '../warn-of-unproven-hosts.ts';
import { requireProgramsIfCode } from '../require-programs.ts';
import { requireSightOfSplit } from '../require-sight.ts';
import { requireBenchmarkVisibleToCaller } from '../require-public.ts';
import { makeDatedListEndpoint, makeControlEndpoints, makeEventsEndpoint } from './runs.ts';

const isUploadedAgent = ({ loop }: { readonly loop?: string | undefined }): boolean => loop === 'uploaded';

const newEvaluation = evaluationConfig
  .extend({
    /** Default: the protocol's. */
    mounting: mounting.optional(),
    agents: z.array(agentChoice).min(1).max(20),
    ...judgeChoices,
  })
  .refine(({ recording, recordingId }) => (recording === 'replay') === (recordingId !== undefined), {
    path: ['recordingId'],
    message: 'the recording to replay; with no other mode of recording',
  })
  .refine(({ agents }) => new Set(agents.map(({ name }) => name)).size === agents.length, {
    path: ['agents'],
    message: 'every agent has a name of its own',
  })
  .refine(({ agents }) => new Set(agents.map(isUploadedAgent)).size === 1, {
    path: ['agents'],
    message: 'agents with the loop uploaded are in an evaluation of their own',
  })
  .refine(({ agents, recording }) => recording === 'off' || !agents.some(isUploadedAgent), {
    path: ['recording'],
    message: 'imported attempts call no server',
  })
  .refine(({ stop, agents }) => stop === undefined || agents.filter(({ loop }) => loop !== 'null').length > 1, {
    path: ['stop'],
    message: 'only two agents or more can be told apart, apart from null agents',
  })
  .refine(({ stop, agents }) => stop === undefined || !agents.some(isUploadedAgent), {
    path: ['stop'],
    message: 'attempts that are imported were made already: nothing is saved by an early end',
  })
  .refine(({ user, judges }) => user !== 'answer' || judges, {
    path: ['user'],
    message: "the judge's model plays the user: with judges off, questions are declined",
  });

const createEvaluation = makeEndpoint(
  {
    method: 'post',
    path: '/v1/evaluations',
    tags: ['evaluations'],
    summary: 'Evaluate agents on a benchmark',
    description:
      'Every agent gets all requests that the protocol has of every unit, as often as `trials` says: model agents by themselves, agents with the loop `external` when they claim attempts; attempts of agents with the loop `uploaded` are imported at `/v1/evaluations/{id}/attempts`. Follow the run at `/v1/evaluations/{id}/events`. With an `Idempotency-Key` the call can be repeated.',
    middleware: [admitCallerWithScope('run')],
    request: {
      headers: idempotencyHeader,
      query: dryRunQuery,
      body: describeJsonBody(documented(newEvaluation, 'NewEvaluation')),
    },
    responses: {
      200: dryRunResponse,
      202: describeCreatedResponse('The run', documented(evaluationRecord, 'Evaluation')),
      ...describeProblemResponses(
        ...bodyProblems,
        'not-found',
        'address-forbidden',
        'nothing-to-evaluate',
        'evaluation-too-large',
        'forbidden',
        'private-server',
        'attack-on-foreign-server',
        'catalog-changed',
        'no-price',
        'model-refused',
        'model-unreachable',
        'idempotency-mismatch',
      ),
    },
  },
  async (c) => {
    const body = c.req.valid('json');
    const { agents: choices, judge, panel, embedder, ...given } = body;
    const { services, caller } = c.var;
    const workspace = services.object('workspace', caller.workspace);
    const call = makeRepeatableCreatingCall(workspace, 'evaluation', c.req.valid('header')['idempotency-key'], body);
    const { dryRun } = c.req.valid('query');
    const earlier = dryRun ? null : await call.findEarlier((id) => services.object('evaluation', id).get());
    if (earlier !== null) return c.json(earlier, 202, { Location: `/v1/evaluations/${earlier.id}` });
    requireSightOfSplit(c, given.split);
    const { servers, ...basis } = await gatherBasisOfRequestOrThrow(c, given, choices);
    throwIfChoicesUnfit({ choices, ...given }, basis);
    await throwIfAttackOnForeignServers(c, basis.protocol, servers);
    const { mountings, defaultLoop } = getProtocol(basis.protocol);
    const config = { ...given, mounting: given.mounting ?? mountings[0] };
    const complete = choices.map((choice) =>
      agentWithDefaultMountingAndLoop(choice, { mounting: config.mounting, loop: defaultLoop }),
    );
    for (const agent of complete) requireProgramsIfCode(agent, services);
    const chosen = await makeStoredAgentsAndJudges(complete, { judge, panel, embedder }, services.settings);
    const needed = listModelsOfEvaluation(chosen, config, basis);
    unwrap(refuseBudgetWithoutPrices([...needed, ...listModelsOfExternalAgents(chosen.agents)], config.budget));
    const asked = { ...chosen, config, protocol: basis.protocol };
    const like = await findLatestSimilarRun(
      c,
      'evaluation',
      (object) => services.object('evaluation', object).get(),
      (run) => isSimilarEvaluationWithEnoughAttempts(run, asked),
    );
    const sampled = await readSampleOfUnitsForEstimate(basis);
    const unproven = await listUnprovenHostWarnings(c.var, estimateRequestsByHost(asked, sampled, servers));
    const warnings = [...listSeenUnitsWarnings(basis), ...unproven];
    const estimate = { ...estimateEvaluation(asked, sampled, like), warnings };
    if (dryRun) return c.json({ estimate }, 200);
    const models = await requireWorkingAgentsAndJudges(chosen, needed, { isJudged: config.judges, warnings }, c.var);
    const now = new Date();
    const at = now.toISOString();
    const id = await call.newId('evl', now);
    const recording = await createOrFindRecordingIfOn(id, config, { servers, at }, c);
    // Listed before it is created, so that there is never a running evaluation that nobody can find.
    await workspace.addResource('evaluation', { id, object: id, json: JSON.stringify({ createdAt: at }) });
    const record = await createEvaluationOnBasis(
      services.object('evaluation', id),
      {
        id,
        workspace: caller.workspace,
        config: { ...config, ...recording },
        ...models,
        estimate,
        servers,
        offline: services.settings.OFFLINE_MODELS,
        submission: null,
        floorOf: null,
        rejudges: null,
        at,
      },
      { ...basis, ...(given.stop && { earlier: await readEarlierOutcomes(c, given.benchmark, basis.protocol) }) },
    );
    return c.json(record, 202, { Location: `/v1/evaluations/${id}` });
  },
);

/** Refuses overlays and shown tools that the tools of the benchmark do not fit, and disturbances that the protocol has no use for: nothing that was asked for is left out silently. */
function throwIfChoicesUnfit(
  { choices, disturb }: { readonly choices: readonly AgentChoice[] } & Pick<EvaluationConfig, 'disturb'>,
  { tools, protocol }: Pick<GatheredBasis, 'tools' | 'protocol'>,
): void {
  throwIfOverlaysUnfit(choices, tools);
  throwIfShownToolsUnknown(choices, tools);
  const unfit = disturb === undefined ? null : findUnfitDisturbing(disturb, protocol);
  if (unfit !== null) throw refusal('invalid-request', `disturb: ${unfit}`);
}

/** Creates the recording that an evaluation writes, or finds the one that it replays. */
async function createOrFindRecordingIfOn(
  id: string,
  { recording, recordingId, benchmark, split }: EvaluationConfig,
  { servers, at }: Pick<NewEvaluation, 'servers' | 'at'>,
  c: Context<ApiEnv>,
): Promise<Pick<EvaluationConfig, 'recordingId'>> {
  if (recording === 'off') return {};
  const workspace = c.var.services.object('workspace', c.var.caller.workspace);
  if (recording === 'replay') {
    if (recordingId === undefined || (await workspace.findResource('recording', recordingId)) === null)
      throw refusal('not-found', `there is no recording ${recordingId ?? ''}`);
    return { recordingId };
  }
  const made = `rec_${id.slice(id.indexOf('_') + 1)}`;
  await c.var.services
    .object('recording', made)
    .create({ id: made, benchmark, createdAt: at, private: split !== 'public', redact: pickRulesByServer(servers) });
  await workspace.addResource('recording', { id: made, object: made, json: JSON.stringify({ createdAt: at }) });
  return { recordingId: made };
}

/**
 * Returns what an evaluation needs from its benchmark and the workspace's servers. A replay and an import need no server, and
 * have the benchmark's tools.
 */
async function gatherBasisOfRequestOrThrow(
  c: Context<ApiEnv>,
  config: Omit<EvaluationConfig, 'mounting'>,
  agents: readonly AgentChoice[],
): Promise<GatheredBasis> {
  const { benchmark, isOwn } = await requireOwnOrPublicBenchmark(c, config);
  const seen = listUnitsThatWordingsWereWrittenFrom(agents);
  const isServerless = config.recording === 'replay' || agents.some(isUploadedAgent);
  const servers = isServerless ? null : c.var.services.object('workspace', c.var.caller.workspace);
  return unwrap(
    mapErr(await gatherEvaluationBasisOrRefuse(benchmark, servers, config, { count: agents.length, seen }), (refused) =>
      problemOfEvaluationRefusal(isOwn ? refused : withoutNamesOfServers(refused)),
    ),
  );
}

const withoutNamesOfServers = (refused: EvaluationRefusal): EvaluationRefusal =>
  refused.reason === 'servers-missing' ? { ...refused, servers: null } : refused;

/** Returns a benchmark of the caller's workspace; of another one, if the deployment knows it, only the public units. */
export async function requireOwnOrPublicBenchmark(
  c: Context<ApiEnv>,
  { benchmark: id, split }: Pick<EvaluationConfig, 'benchmark' | 'split'>,
): Promise<{ readonly benchmark: BenchmarkService; readonly isOwn: boolean }> {
  const { services, caller } = c.var;
  const own = await services.object('workspace', caller.workspace).findResource('benchmark', id);
  if (own !== null) return { benchmark: services.object('benchmark', own.object), isOwn: true };
  const foreign = await requireBenchmarkVisibleToCaller(c, id);
  if (split === 'public') return { benchmark: foreign, isOwn: false };
  throw refusal('forbidden', `the private units of ${id} belong to another workspace; evaluate on the split "public"`);
}

type AgentChoice = z.infer<typeof agentChoice>;

/** Returns an agent with the mounting, and if a model makes its attempts the loop, that nobody chose for it. */
function agentWithDefaultMountingAndLoop(
  choice: AgentChoice,
  { mounting: common, loop }: { mounting: Mounting; loop: ModelLoop },
) {
  if (choice.loop === 'uploaded') return { ...choice, configuration: { mounting: common, ...choice.configuration } };
  const own = { mounting: choice.mounting ?? common };
  return 'model' in choice ? { ...choice, ...own, loop: choice.loop ?? loop } : { ...choice, ...own };
}
type CompleteAgentChoice = ReturnType<typeof agentWithDefaultMountingAndLoop>;

/** Refuses agents that are to have tools from the start which the evaluation does not have. */
function throwIfShownToolsUnknown(choices: readonly AgentChoice[], tools: readonly Pick<Tool, 'name'>[]): void {
  const names = new Set(tools.map(({ name }) => name));
  for (const choice of choices) {
    const shown = 'model' in choice ? (choice.retrieval?.shown ?? []) : [];
    const unknown = shown.filter((name) => !names.has(name));
    if (unknown.length > 0)
      throw refusal(
        'invalid-request',
        `agents: retrieval.shown of ${choice.name}: the evaluation has no tool ${unknown.join(', ')}; name tools as "server/tool"`,
      );
  }
}

type ChosenModels = Pick<NewEvaluation, 'agents' | 'judge' | 'panel' | 'embedder'>;

/** Returns the agents and judges of an evaluation as it stores them: keys encrypted, with the prices that count. */
async function makeStoredAgentsAndJudges(
  choices: readonly CompleteAgentChoice[],
  chosen: JudgeChoices,
  settings: Settings,
): Promise<ChosenModels> {
  const [agents, stored] = await Promise.all([
    Promise.all(choices.map((choice) => makeStoredAgent(choice, settings))),
    prepareJudgesForStorage(chosen, settings),
  ]);
  return { agents, ...stored };
}

/** Lists the models that an evaluation asks, with the first turns of its agents. */
function listModelsOfEvaluation(
  { agents, ...judges }: ChosenModels,
  config: EvaluationConfig,
  { tools, protocol }: Pick<EvaluationBasis, 'tools' | 'protocol'>,
): NamedModel[] {
  const { ifTooManyTools: ifTooMany } = getProtocol(protocol);
  const needed: NamedModel[] = agents.filter(isModelAgent).flatMap((agent) => {
    const { loop, limits } = agent;
    const mounted = listToolsOfLargestMount(mountingOfAgent(agent, config.mounting), tools, config.seed);
    const { tools: shown } = applyOverlay(agent.overlay, mounted);
    return listModelsOfAgent(agent, { loop, limits, tools: shown, shown: agent.retrieval?.shown, ifTooMany });
  });
  return config.judges ? [...needed, ...listJudgeModels(judges)] : needed;
}

/** Asks each model a test question, and returns them with what was learnt of them; refuses if one of them does not work. */
async function requireWorkingAgentsAndJudges(
  { agents, ...judges }: ChosenModels,
  needed: readonly NamedModel[],
  { isJudged, warnings: found }: { readonly isJudged: boolean; readonly warnings: readonly string[] },
  asking: Asking,
): Promise<ChosenModels & Pick<NewEvaluation, 'preflight'>> {
  const { preflight, withLearnt } = await requireWorkingModels(needed, asking);
  const warnings = isJudged ? listOwnJudgeWarnings(agents, judges) : [];
  return {
    agents: agents.map((agent) =>
      isModelAgent(agent)
        ? { ...agent, model: withLearnt(agent.model), ...retrievalFieldWithLearntEmbedder(agent, withLearnt) }
        : agent,
    ),
    judge: withLearnt(judges.judge),
    panel: judges.panel.map(withLearnt),
    embedder: withLearnt(judges.embedder),
    preflight: { ...preflight, warnings: [...found, ...preflight.warnings, ...warnings] },
  };
}

const retrievalFieldWithLearntEmbedder = (
  { retrieval }: StoredModelAgent,
  withLearnt: (model: StoredModel) => StoredModel,
): Pick<StoredModelAgent, 'retrieval'> =>
  retrieval === undefined ? {} : { retrieval: { ...retrieval, embedder: withLearnt(retrieval.embedder) } };

/** Returns how many requests hosts would get. A replay and an import send none: they have no servers. */
function estimateRequestsByHost(
  {
    agents,
    config,
    protocol,
  }: Pick<NewEvaluation, 'agents'> & Pick<GatheredBasis, 'protocol'> & { config: EvaluationConfig },
  { units, sample }: Awaited<ReturnType<typeof readSampleOfUnitsForEstimate>>,
  servers: GatheredBasis['servers'],
): Map<string, number> {
  const requests = countRequestsOfCase(protocol, sample[0]?.kind ?? 'pair', config.disturb?.kinds);
  return estimateEvaluationRequestsByHost(
    { units, attemptsOfUnit: agents.length * config.trials * requests },
    sample,
    servers,
  );
}

/** Some units of an evaluation show what agents see: as many as the first page has, at most this many. */
const sampledUnits = 50;

async function readSampleOfUnitsForEstimate({ tools, units }: Pick<GatheredBasis, 'tools' | 'units'>) {
  for await (const page of units.pages()) return { units: units.count, tools, sample: page.slice(0, sampledUnits) };
  return { units: units.count, tools, sample: [] };
}

async function makeStoredAgent(choice: CompleteAgentChoice, settings: Settings): Promise<StoredAgent> {
  if (choice.loop === 'null' || choice.loop === 'uploaded') return choice;
  const overlay = choice.overlay && (await overlayWithHash(choice.overlay));
  if (choice.loop === 'external')
    return {
      ...choice,
      overlay,
      models: choice.models && (await makeStoredGatewayModels(choice.models, settings, 'evaluation')),
    };
  const { name, loop, model, endpoint, limits, retrieval, mounting: own } = choice;
  if (retrieval !== undefined && !doesLoopSearch(loop))
    throw refusal(
      'invalid-request',
      `agents: ${name} has the loop ${loop}; retrieval is only for routing and tool-search`,
    );
  if (retrieval?.shown !== undefined && loop !== 'tool-search')
    throw refusal('invalid-request', `agents: ${name} has the loop ${loop}; retrieval.shown is only for tool-search`);
  if (overlay !== undefined && doesLoopSearch(loop))
    throw refusal(
      'invalid-request',
      `agents: ${name} has the loop ${loop}, which finds tools by what their servers say, so it takes no overlay`,
    );
  const stored = await prepareModelForStorage('agent', endpoint && { ...endpoint, model }, settings);
  const found = doesLoopSearch(loop) ? { retrieval: await makeStoredRetrieval(retrieval, settings) } : {};
  return {
    name,
    loop,
    limits,
    ...found,
    mounting: own,
    overlay,
    model: modelWithListPriceIfUnpriced({ ...stored, model }, new Date()),
  };
}

/** Lists the models that external agents ask through the model gateway; nobody asks them a test question, because we do not speak as the agents do. */
const listModelsOfExternalAgents = (agents: readonly StoredAgent[]): NamedModel[] =>
  agents.flatMap((agent) =>
    agent.loop === 'external'
      ? modelsOfAgent(agent).map((model) => ({ name: `the agent ${agent.name}`, role: 'agent' as const, model }))
      : [],
  );

async function makeStoredRetrieval(choice: RetrievalChoice | undefined, settings: Settings): Promise<StoredRetrieval> {
  const { embedder, ...rest } = choice ?? retrievalChoice.parse({});
  const stored = await prepareModelForStorage('embedder', embedder, settings);
  return { ...rest, embedder: modelWithListPriceIfUnpriced(stored, new Date()) };
}

/** Returns the models that an agent needs: its own, and the embedder by which it finds tools. */
function listModelsOfAgent({ name, model, retrieval }: StoredModelAgent, turn: FirstTurn): NamedModel[] {
  const own: NamedModel = { name: `the agent ${name}`, role: 'agent', model, turn };
  if (retrieval === undefined) return [own];
  return [own, { name: `the embedder of the agent ${name}`, role: 'embedder', model: retrieval.embedder }];
}

const listEvaluations = makeDatedListEndpoint({
  kind: 'evaluation',
  summary: 'List the evaluations, oldest first',
  item: 'ListedRun',
  description: 'A page of runs',
});

const getEvaluation = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}',
    tags: ['evaluations'],
    summary: 'Read an evaluation: state, progress, cost',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The run', documented(evaluationRecord, 'Evaluation')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(unwrap(await run.get()), 200);
  },
);

const followEvaluation = makeEventsEndpoint({
  resource: 'evaluations',
  summary: 'Follow an evaluation',
  path: '/v1/evaluations/{id}',
  params: idParams,
  find: (c, params) => requireOwnedObject(c, 'evaluation', idParams.parse(params).id),
  end: 'After `run.ended` the stream ends with an event `end`.',
});

const evaluationControl = makeControlEndpoints({
  resource: 'evaluations',
  schema: documented(evaluationRecord, 'Evaluation'),
  path: '/v1/evaluations/{id}',
  params: idParams,
  find: (c, params) => requireOwnedObject(c, 'evaluation', idParams.parse(params).id),
  about: {
    pause: { summary: 'Pause an evaluation', description: 'Stages that are under way are finished and kept.' },
    resume: {
      summary: 'Resume a paused evaluation',
      description: 'It goes on with the stage at which each case stands.',
    },
    cancel: { summary: 'Cancel an evaluation', description: 'Final. What was committed stays and is in the results.' },
  },
});

export const evaluationEndpoints: readonly Endpoint[] = [
  createEvaluation,
  listEvaluations,
  getEvaluation,
  followEvaluation,
  ...evaluationControl,
];
