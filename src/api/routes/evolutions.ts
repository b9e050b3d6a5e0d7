import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Result } from '#core/values/result.ts';
import { evolutionConfig } from '#core/exploration/evolution/config.ts';
import { type EvolutionRecord, evolutionRecord } from '#core/exploration/evolution/record.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import {
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonBody,
  describeCreatedResponse,
} from '../endpoint.ts';
import { dryRunQuery, dryRunResponse } from '../dry-run.ts';
import { idempotencyHeader, makeFingerprintedKeyOrNull } from '../idempotency.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { bodyProblems, describeProblemResponses, unwrap } from '../problem.ts';
import { makeControlEndpoints, makeEventsEndpoint } from './runs.ts';

const evolutionPath = '/v1/explorations/{id}/evolutions/{number}';
const evolutionParams = idParams.extend({ number: z.coerce.number().int().min(1).max(10_000) });

/** An evolution of an exploration in the caller's workspace, for controlling and following it. */
async function requireEvolutionControls(c: Context<ApiEnv>, { id, number }: z.output<typeof evolutionParams>) {
  const run = await requireOwnedObject(c, 'exploration', id);
  return {
    get: (): Promise<Result<EvolutionRecord>> => run.evolutions.get(number),
    pause: (): Promise<Result<EvolutionRecord>> => run.evolutions.control(number, 'pause'),
    resume: (): Promise<Result<EvolutionRecord>> => run.evolutions.control(number, 'resume'),
    cancel: (): Promise<Result<EvolutionRecord>> => run.evolutions.control(number, 'cancel'),
    fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      url.searchParams.set('evolution', String(number));
      return run.fetch(new Request(url, request));
    },
  };
}

const createEvolution = makeEndpoint(
  {
    method: 'post',
    path: '/v1/explorations/{id}/evolutions',
    tags: ['explorations'],
    summary: 'Evolve a finished exploration',
    description:
      'Drops near-duplicates among its accepted units from what a benchmark takes, and has variants of them written, audited, compared and executed. One evolution at a time. With an `Idempotency-Key` the call can be repeated.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: idParams,
      headers: idempotencyHeader,
      query: dryRunQuery,
      body: describeJsonBody(documented(evolutionConfig, 'NewEvolution')),
    },
    responses: {
      200: dryRunResponse,
      202: describeCreatedResponse('The evolution', documented(evolutionRecord, 'Evolution')),
      ...describeProblemResponses(
        ...bodyProblems,
        'not-found',
        'wrong-state',
        'nothing-to-evolve',
        'no-price',
        'idempotency-mismatch',
      ),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const config = c.req.valid('json');
    const run = await requireOwnedObject(c, 'exploration', id);
    const key = await makeFingerprintedKeyOrNull(c.req.valid('header')['idempotency-key'], config);
    const order = { config, key, at: new Date().toISOString() };
    const ordered = unwrap(await run.evolutions.start(order, c.req.valid('query').dryRun));
    if (ordered.kind === 'estimate') return c.json({ estimate: ordered.estimate }, 200);
    const { evolution } = ordered;
    return c.json(evolution, 202, { Location: `/v1/explorations/${id}/evolutions/${evolution.number}` });
  },
);

const getEvolution = makeEndpoint(
  {
    method: 'get',
    path: evolutionPath,
    tags: ['explorations'],
    summary: 'Read an evolution',
    middleware: [admitCallerWithScope('read')],
    request: { params: evolutionParams },
    responses: {
      200: describeJsonResponse('The evolution', documented(evolutionRecord, 'Evolution')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const evolution = await requireEvolutionControls(c, c.req.valid('param'));
    return c.json(unwrap(await evolution.get()), 200);
  },
);

const listEvolutions = makeEndpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/evolutions',
    tags: ['explorations'],
    summary: 'List the evolutions of an exploration',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse(
        'All of them, the oldest first',
        z.object({ items: z.array(documented(evolutionRecord, 'Evolution')) }),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'exploration', c.req.valid('param').id);
    return c.json({ items: unwrap(await run.evolutions.list()) }, 200);
  },
);

const followEvolution = makeEventsEndpoint({
  resource: 'explorations',
  path: evolutionPath,
  params: evolutionParams,
  summary: 'Follow an evolution',
  end: 'After `run.ended` the stream ends with an event `end`.',
  find: (c, params) => requireEvolutionControls(c, evolutionParams.parse(params)),
});

const evolutionControl = makeControlEndpoints({
  resource: 'explorations',
  path: evolutionPath,
  params: evolutionParams,
  schema: documented(evolutionRecord, 'Evolution'),
  find: (c, params) => requireEvolutionControls(c, evolutionParams.parse(params)),
  about: {
    pause: { summary: 'Pause an evolution', description: 'Stages that are under way are finished and kept.' },
    resume: {
      summary: 'Resume a paused evolution',
      description: 'It goes on with the stage at which each variant stands.',
    },
    cancel: { summary: 'Cancel an evolution', description: 'Final. The variants that were accepted stay.' },
  },
});

export const evolutionEndpoints: readonly Endpoint[] = [
  createEvolution,
  getEvolution,
  listEvolutions,
  followEvolution,
  ...evolutionControl,
];
