import { documented } from '#api/documented.ts';
import { transitionRecord } from '#core/exploration/counts.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Settings } from '#adapters/settings.ts';
import {
  attemptsOfUnit,
  estimateExploration,
  isSimilarExplorationWithEnoughUnits,
} from '#core/exploration/estimates/estimate-exploration.ts';
import { unsoundStopTextOrNull } from '#core/exploration/all-transitions.ts';
import { explorationConfig, type ExplorationConfig } from '#core/exploration/config.ts';
import { roundReading } from '#core/exploration/reading-record.ts';
import { domainTransition, explorationRecord } from '#core/exploration/record.ts';
import { estimateExplorationRequestsByHost } from '#core/exploration/estimates/expected-requests.ts';
import { modelWithListPriceIfUnpriced } from '#core/models/list-prices.ts';
import { refuseBudgetWithoutPrices } from '#core/models/unpriced.ts';
import { listToolsOfLargestMount } from '#core/units/mounting/largest-mount.ts';
import type { Preflight } from '#core/models/preflight.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { explorationRole, modelChoices, type StoredModels } from '#core/models/choices.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { dryRunQuery, dryRunResponse, findLatestSimilarRun } from '../dry-run.ts';
import {
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonBody,
  describeCreatedResponse,
} from '../endpoint.ts';
import { makeRepeatableCreatingCall, idempotencyHeader } from '../idempotency.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireWorkingModels } from '../preflight.ts';
import { requireOwnedObject } from '../owned.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { bodyProblems, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import { prepareModelForStorage } from '../stored-model.ts';
import { listUnprovenHostWarnings } from '../warn-of-unproven-hosts.ts';
import { requireKnowledgeConnection } from './knowledge.ts';
import { makeDatedListEndpoint, makeControlEndpoints, makeEventsEndpoint } from './runs.ts';

const createExploration = makeEndpoint(
  {
    method: 'post',
    path: '/v1/explorations',
    tags: ['explorations'],
    summary: 'Start an exploration',
    description:
      'The run goes on by itself; follow it at `/v1/explorations/{id}/events`. With an `Idempotency-Key` the call can be repeated: the same key gives the same run.',
    middleware: [admitCallerWithScope('run')],
    request: {
      headers: idempotencyHeader,
      query: dryRunQuery,
      body: describeJsonBody(
        documented(explorationConfig.safeExtend({ models: modelChoices.prefault({}) }), 'NewExploration'),
      ),
    },
    responses: {
      200: dryRunResponse,
      202: describeCreatedResponse('The run', documented(explorationRecord, 'Exploration')),
      ...describeProblemResponses(
        ...bodyProblems,
        'not-found',
        'server-not-connected',
        'address-forbidden',
        'no-price',
        'model-refused',
        'model-unreachable',
        'idempotency-mismatch',
      ),
    },
  },
  async (c) => {
    const body = c.req.valid('json');
    const { models: choices, ...config } = body;
    if (config.acceptScore < config.passScore) {
      throw refusal('invalid-request', 'acceptScore must not be smaller than passScore');
    }
    const { services, caller } = c.var;
    const workspace = services.object('workspace', caller.workspace);
    const call = makeRepeatableCreatingCall(workspace, 'exploration', c.req.valid('header')['idempotency-key'], body);
    const { dryRun } = c.req.valid('query');
    const earlier = dryRun ? null : await call.findEarlier((id) => services.object('exploration', id).get());
    if (earlier !== null) return c.json(earlier, 202, { Location: `/v1/explorations/${earlier.id}` });
    const [basis, knowledge] = await Promise.all([
      workspace.explorationBasis(config.catalog).then(unwrap),
      config.knowledge === undefined ? null : requireKnowledgeConnection(c, config.knowledge.index),
    ]);
    const unsound = unsoundStopTextOrNull(config, basis.tools.length);
    if (unsound !== null) throw refusal('invalid-request', unsound);
    const chosen = await makeStoredExplorationModels(services.settings, choices);
    const named = explorationRole.options.map((role) => ({ name: `the ${role}`, model: chosen[role] }));
    unwrap(refuseBudgetWithoutPrices(named, config.budget));
    const like = await findLatestSimilarRun(
      c,
      'exploration',
      (object) => services.object('exploration', object).get(),
      (run) => isSimilarExplorationWithEnoughUnits(run, config, chosen),
    );
    const attempts = config.budget.rounds * (config.batch + 1) * attemptsOfUnit;
    const expected = estimateExplorationRequestsByHost(attempts, basis.tools, basis.servers);
    const warnings = await listUnprovenHostWarnings(c.var, expected);
    const estimate = { ...estimateExploration(config, basis.tools, chosen, like), warnings };
    if (dryRun) return c.json({ estimate }, 200);
    const { models, preflight } = await requireWorkingModelsOfRun(c, chosen, config, basis.tools);
    const now = new Date();
    const at = now.toISOString();
    const id = await call.newId('exp', now);
    // Listed before it is created, so that there is never a running exploration that nobody can find.
    await workspace.addResource('exploration', { id, object: id, json: JSON.stringify({ createdAt: at }) });
    const { OFFLINE_MODELS: offline } = services.settings;
    const record = await services.object('exploration', id).create({
      id,
      workspace: caller.workspace,
      config,
      models,
      ...basis,
      knowledge,
      offline,
      estimate,
      preflight: { ...preflight, warnings: [...warnings, ...preflight.warnings] },
      at,
    });
    return c.json(record, 202, { Location: `/v1/explorations/${id}` });
  },
);

/** Returns the models of an exploration as it stores them: keys encrypted, with the prices that count. */
async function makeStoredExplorationModels(
  settings: Settings,
  choices: z.output<typeof modelChoices>,
): Promise<StoredModels> {
  const now = new Date();
  const [writer, critic, agent] = await Promise.all([
    prepareModelForStorage('writer', choices.writer, settings),
    prepareModelForStorage('critic', choices.critic, settings),
    prepareModelForStorage('agent', choices.agent, settings),
  ]);
  return {
    writer: modelWithListPriceIfUnpriced(writer, now),
    critic: modelWithListPriceIfUnpriced(critic, now),
    agent: modelWithListPriceIfUnpriced(agent, now),
  };
}

/** Asks each model a test question, and returns them with what was learnt of them; refuses if one of them does not work. */
async function requireWorkingModelsOfRun(
  c: Context<ApiEnv>,
  models: StoredModels,
  { agent: limits, mounting, seed }: ExplorationConfig,
  tools: readonly Tool[],
): Promise<{ readonly models: StoredModels; readonly preflight: Preflight }> {
  const largest = listToolsOfLargestMount(mounting, tools, seed);
  const turn = { loop: 'function-calling', tools: largest, limits, ifTooMany: 'mount-less' } as const;
  const named = explorationRole.options.map((role) => ({
    name: `the ${role}`,
    role,
    model: models[role],
    ...(role === 'agent' ? { turn } : {}),
  }));
  const { preflight, withLearnt } = await requireWorkingModels(named, c.var);
  return {
    models: {
      writer: withLearnt(models.writer),
      critic: withLearnt(models.critic),
      agent: withLearnt(models.agent),
    },
    preflight,
  };
}

const listExplorations = makeDatedListEndpoint({
  kind: 'exploration',
  summary: 'List the explorations, oldest first',
  item: 'ListedRun',
  description: 'A page of runs',
});

const getExploration = makeEndpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}',
    tags: ['explorations'],
    summary: 'Read an exploration: state, counters, estimates, cost',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The run', documented(explorationRecord, 'Exploration')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'exploration', c.req.valid('param').id);
    return c.json(unwrap(await run.get()), 200);
  },
);

const followExploration = makeEventsEndpoint({
  resource: 'explorations',
  summary: 'Follow an exploration',
  path: '/v1/explorations/{id}',
  params: idParams,
  find: (c, params) => requireOwnedObject(c, 'exploration', idParams.parse(params).id),
  end: 'After `run.ended` the stream ends with an event `end`.',
});

const explorationControl = makeControlEndpoints({
  resource: 'explorations',
  schema: documented(explorationRecord, 'Exploration'),
  path: '/v1/explorations/{id}',
  params: idParams,
  find: (c, params) => requireOwnedObject(c, 'exploration', idParams.parse(params).id),
  about: {
    pause: { summary: 'Pause an exploration', description: 'Stages that are under way are finished and kept.' },
    resume: {
      summary: 'Resume a paused exploration',
      description: 'It goes on with the stage at which each unit stands.',
    },
    cancel: { summary: 'Cancel an exploration', description: 'Final. What was committed stays and can be frozen.' },
  },
});

/** A cursor of two names; tool names have no line breaks. */
const transitionCursor = (transition: { from: string; to: string }): string => `${transition.from}\n${transition.to}`;

const listTransitions = makeEndpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/transitions',
    tags: ['explorations'],
    summary: 'List the transitions with their counts',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: pageQuery },
    responses: {
      200: describeJsonResponse(
        'A page of transitions, by their tools',
        pageSchema(documented(transitionRecord, 'Transition')),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'exploration', c.req.valid('param').id);
    return c.json(
      makePageFromItemsAndOneMore(unwrap(await run.listTransitions(cursor, limit + 1)), limit, transitionCursor),
      200,
    );
  },
);

const listReadings = makeEndpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/richness',
    tags: ['explorations'],
    summary: 'The history of the estimates, a reading a round',
    description:
      'Look at probeCoverage first, then at allTransitions, which is never above what can exist. chao1 and transitionCoverage, which divides by it, are as published: Chao1 is a lower bound without feedback, so the ratio flatters; with feedback it overshoots.',
    middleware: [admitCallerWithScope('read')],
    request: {
      params: idParams,
      query: pageQuery.extend({
        cursor: z
          .string()
          .regex(/^\d{0,9}$/, 'a round')
          .default(''),
      }),
    },
    responses: {
      200: describeJsonResponse('A page of readings', pageSchema(documented(roundReading, 'RoundReading'))),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'exploration', c.req.valid('param').id);
    const read = unwrap(await run.listReadings(Number(cursor), limit + 1));
    return c.json(
      makePageFromItemsAndOneMore(read, limit, (reading) => String(reading.round)),
      200,
    );
  },
);

const listDomainTransitions = makeEndpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/domains',
    tags: ['explorations'],
    summary: 'Transitions between domains, for a heat map',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse(
        'Every pair of domains that has a transition',
        z.object({ items: z.array(documented(domainTransition, 'DomainTransition')) }),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'exploration', c.req.valid('param').id);
    return c.json({ items: unwrap(await run.units.countDomainTransitions()) }, 200);
  },
);

export const explorationEndpoints: readonly Endpoint[] = [
  createExploration,
  listExplorations,
  getExploration,
  followExploration,
  ...explorationControl,
  listTransitions,
  listReadings,
  listDomainTransitions,
];
