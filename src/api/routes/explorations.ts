import { transitionRecord } from '#core/exploration/counts.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { explorationConfig } from '#core/exploration/config.ts';
import { roundReading } from '#core/exploration/reading-record.ts';
import { domainTransition, explorationRecord } from '#core/exploration/record.ts';
import { explorationRole, modelChoices, type StoredModels } from '#core/models/choices.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { endpoint, idParams, json, jsonBody, made } from '../endpoint.ts';
import { creatingCall, idempotencyHeader } from '../idempotency.ts';
import { requires } from '../middleware/authenticate.ts';
import { requireModels } from '../model-check.ts';
import { owned } from '../owned.ts';
import { page, pageOf, pageQuery } from '../pages.ts';
import { bodyProblems, problems, refusal, unwrap } from '../problem.ts';
import { storeModel } from '../stored-model.ts';
import { connectionOf } from './knowledge.ts';
import { datedList, runControl, runEvents } from './runs.ts';

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
    const { services, caller } = c.var;
    const workspace = services.object('workspace', caller.workspace);
    const call = creatingCall(workspace, 'exploration', c.req.valid('header')['idempotency-key'], body);
    const earlier = await call.earlier((id) => services.object('exploration', id).get());
    if (earlier !== null) return c.json(earlier, 202, { Location: `/v1/explorations/${earlier.id}` });
    const [basis, knowledge] = await Promise.all([
      workspace.explorationBasis(config.catalog).then(unwrap),
      config.knowledge === undefined ? null : connectionOf(c, config.knowledge.index),
    ]);
    const models = await modelsOf(c, choices);
    const now = new Date();
    const at = now.toISOString();
    const id = await call.newId('exp', now);
    // Listed before it is created, so that there is never a running exploration that nobody can find.
    await workspace.addResource('exploration', { id, object: id, json: JSON.stringify({ createdAt: at }) });
    const { OFFLINE_MODELS: offline } = services.settings;
    const record = await services
      .object('exploration', id)
      .create({ id, workspace: caller.workspace, config, models, ...basis, knowledge, offline, at });
    return c.json(record, 202, { Location: `/v1/explorations/${id}` });
  },
);

/** Returns the models of an exploration as it stores them, keys encrypted; refuses if an endpoint lacks its model. */
async function modelsOf(c: Context<ApiEnv>, choices: z.output<typeof modelChoices>): Promise<StoredModels> {
  const { settings } = c.var.services;
  const [writer, critic, agent] = await Promise.all([
    storeModel('writer', choices.writer, settings),
    storeModel('critic', choices.critic, settings),
    storeModel('agent', choices.agent, settings),
  ]);
  const models = { writer, critic, agent };
  const named = explorationRole.options.map((role) => ({ name: `the ${role}`, role, model: models[role] }));
  await requireModels(named, settings, c.var.admission);
  return models;
}

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
    const run = await owned(c, 'exploration', c.req.valid('param').id);
    return c.json(unwrap(await run.get()), 200);
  },
);

const followExploration = runEvents({
  resource: 'explorations',
  summary: 'Follow an exploration',
  path: '/v1/explorations/{id}',
  params: idParams,
  find: (c, params) => owned(c, 'exploration', idParams.parse(params).id),
  end: 'After `run.ended` the stream ends with an event `end`.',
});

const explorationControl = runControl({
  resource: 'explorations',
  schema: explorationRecord.openapi('Exploration'),
  path: '/v1/explorations/{id}',
  params: idParams,
  find: (c, params) => owned(c, 'exploration', idParams.parse(params).id),
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
    const run = await owned(c, 'exploration', c.req.valid('param').id);
    return c.json(page(unwrap(await run.listTransitions(cursor, limit + 1)), limit, cursorOf), 200);
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
    const run = await owned(c, 'exploration', c.req.valid('param').id);
    const read = unwrap(await run.listReadings(Number(cursor), limit + 1));
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
    const run = await owned(c, 'exploration', c.req.valid('param').id);
    return c.json({ items: unwrap(await run.domainTransitions()) }, 200);
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
