import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { explorationConfig } from '#core/exploration/config.ts';
import { roundReading } from '#core/exploration/reading-record.ts';
import { domainTransition, explorationRecord, transitionRecord } from '#core/exploration/record.ts';
import { explorationRole, modelChoices } from '#core/models/choices.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { endpoint, idParams, json, jsonBody, made } from '../endpoint.ts';
import { creatingCall, idempotencyHeader } from '../idempotency.ts';
import { requires } from '../middleware/authenticate.ts';
import { requireModels } from '../model-check.ts';
import { ownedObject } from '../owned.ts';
import { page, pageOf, pageQuery } from '../pages.ts';
import { bodyProblems, problems, refusal, unwrap } from '../problem.ts';
import type { ExplorationService } from '../services.ts';
import { storeModel } from '../stored-model.ts';
import { connectionOf } from './knowledge.ts';
import { datedList, runControl, runEvents } from './runs.ts';

/** The exploration with this id in the caller's workspace. */
export const findExploration = async (c: Context<ApiEnv>, id: string): Promise<ExplorationService> =>
  c.var.services.exploration(await ownedObject(c, 'exploration', id));

const createExploration = endpoint(
  {
    method: 'post',
    path: '/v1/explorations',
    tags: ['explorations'],
    summary: 'Start an exploration',
    description:
      'The run goes on by itself; follow it at `/v1/explorations/{id}/events`. With an `Idempotency-Key` the call can be repeated: the same key gives the same run.',
    middleware: [requires('run')],
    request: {
      headers: idempotencyHeader,
      body: jsonBody(explorationConfig.extend({ models: modelChoices.prefault({}) }).openapi('NewExploration')),
    },
    responses: {
      202: made('The run', explorationRecord.openapi('Exploration')),
      ...problems(
        ...bodyProblems,
        'not-found',
        'address-forbidden',
        'model-not-found',
        'model-unauthorized',
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
    const { settings } = c.var.services;
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const call = creatingCall(workspace, 'exploration', c.req.valid('header')['idempotency-key'], body);
    const earlier = await call.earlier((id) => c.var.services.exploration(id).get());
    if (earlier !== null) {
      c.header('Location', `/v1/explorations/${earlier.id}`);
      return c.json(earlier, 202);
    }
    const catalog = unwrap(await workspace.getCatalog(config.catalog));
    const knowledge = config.knowledge === undefined ? null : await connectionOf(c, config.knowledge.index);
    const servers = await Promise.all(
      catalog.servers.map(async (server) => {
        const connection = await workspace.serverConnection(server.id);
        if (connection === null)
          throw refusal('not-found', `server ${server.name} of the catalog is not registered any more`);
        return connection;
      }),
    );
    const models = {
      writer: await storeModel('writer', choices.writer, settings),
      critic: await storeModel('critic', choices.critic, settings),
      agent: await storeModel('agent', choices.agent, settings),
    };
    await requireModels(
      explorationRole.options.map((role) => ({ name: `the ${role}`, role, model: models[role] })),
      settings,
      c.var.admission,
    );
    const now = new Date();
    const id = await call.newId('exp', now);
    // Listed before it is born: a run that goes on must never be one that nobody can find.
    await workspace.addResource('exploration', {
      id,
      object: id,
      json: JSON.stringify({ createdAt: now.toISOString() }),
    });
    const run = c.var.services.exploration(id);
    const record = await run.create({
      id,
      workspace: c.var.caller.workspace,
      config,
      models,
      servers,
      knowledge,
      tools: await workspace.getCatalogTools(catalog.id),
      offline: settings.OFFLINE_MODELS,
      at: now.toISOString(),
    });
    c.header('Location', `/v1/explorations/${id}`);
    return c.json(record, 202);
  },
);

const listExplorations = datedList({
  kind: 'exploration',
  summary: 'List the explorations, oldest first',
  item: 'ListedRun',
  description: 'A page of runs',
});

const getExploration = endpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}',
    tags: ['explorations'],
    summary: 'Read an exploration: state, counters, estimates, cost',
    middleware: [requires('read')],
    request: { params: idParams },
    responses: {
      200: json('The run', explorationRecord.openapi('Exploration')),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const run = await findExploration(c, c.req.valid('param').id);
    return c.json(unwrap(await run.get()), 200);
  },
);

const followExploration = runEvents({
  resource: 'explorations',
  summary: 'Follow an exploration',
  path: '/v1/explorations/{id}',
  params: idParams,
  find: (c, params) => findExploration(c, idParams.parse(params).id),
  end: 'After `run.ended` the stream ends with an event `end`.',
});

const explorationControl = runControl({
  resource: 'explorations',
  schema: explorationRecord.openapi('Exploration'),
  path: '/v1/explorations/{id}',
  params: idParams,
  find: (c, params) => findExploration(c, idParams.parse(params).id),
  about: {
    pause: { summary: 'Pause an exploration', description: 'Stages that are under way are finished and kept.' },
    resume: {
      summary: 'Resume a paused exploration',
      description: 'It goes on with the stage at which each unit stands.',
    },
    cancel: { summary: 'Cancel an exploration', description: 'Final. What was committed stays and can be frozen.' },
  },
});

/** A cursor of two names; tool names hold no line breaks. */
const cursorOf = (transition: { from: string; to: string }): string => `${transition.from}\n${transition.to}`;

const listTransitions = endpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/transitions',
    tags: ['explorations'],
    summary: 'List the transitions with their counts',
    middleware: [requires('read')],
    request: { params: idParams, query: pageQuery },
    responses: {
      200: json('A page of transitions, by their tools', pageOf(transitionRecord.openapi('Transition'))),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await findExploration(c, c.req.valid('param').id);
    return c.json(page(await run.listTransitions(cursor, limit + 1), limit, cursorOf), 200);
  },
);

const listReadings = endpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/richness',
    tags: ['explorations'],
    summary: 'The history of the estimates, a reading a round',
    description:
      'Look at probeCoverage first. transitionCoverage divides by Chao1, which is a lower bound without feedback, so the ratio flatters; with feedback Chao1 overshoots.',
    middleware: [requires('read')],
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
      200: json('A page of readings', pageOf(roundReading.openapi('RoundReading'))),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await findExploration(c, c.req.valid('param').id);
    const read = await run.listReadings(Number(cursor), limit + 1);
    return c.json(
      page(read, limit, (reading) => String(reading.round)),
      200,
    );
  },
);

const listDomainTransitions = endpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/domains',
    tags: ['explorations'],
    summary: 'Transitions between domains, for a heat map',
    middleware: [requires('read')],
    request: { params: idParams },
    responses: {
      200: json(
        'Every pair of domains that has a transition',
        z.object({ items: z.array(domainTransition.openapi('DomainTransition')) }),
      ),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const run = await findExploration(c, c.req.valid('param').id);
    return c.json({ items: await run.domainTransitions() }, 200);
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
