import { createRoute, z } from '@hono/zod-openapi';
import { evolutionRecord } from '#core/evolution/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findExploration } from '../explorations/find.ts';
import { runParams } from '../run-params.ts';
import { evolutionParams, evolutionPath, findEvolution } from './path.ts';

const getRoute = createRoute({
  method: 'get',
  path: evolutionPath,
  tags: ['explorations'],
  summary: 'Read an evolution',
  middleware: [requires('read')] as const,
  request: { params: evolutionParams },
  responses: {
    200: {
      description: 'The evolution',
      content: { 'application/json': { schema: evolutionRecord.openapi('Evolution') } },
    },
    ...problems('not-found'),
  },
});

export const getEvolution: Endpoint = (api) =>
  void api.openapi(getRoute, async (c) => {
    const evolution = await findEvolution(c, c.req.valid('param'));
    return c.json(unwrap(await evolution.get()), 200);
  });

const listRoute = createRoute({
  method: 'get',
  path: '/v1/explorations/{id}/evolutions',
  tags: ['explorations'],
  summary: 'List the evolutions of an exploration',
  middleware: [requires('read')] as const,
  request: { params: runParams },
  responses: {
    200: {
      description: 'All of them, the oldest first',
      content: { 'application/json': { schema: z.object({ items: z.array(evolutionRecord.openapi('Evolution')) }) } },
    },
    ...problems('not-found'),
  },
});

export const listEvolutions: Endpoint = (api) =>
  void api.openapi(listRoute, async (c) => {
    const run = await findExploration(c, c.req.valid('param').id);
    return c.json({ items: await run.listEvolutions() }, 200);
  });
