import { createRoute, z } from '@hono/zod-openapi';
import { explorationRecord } from '#core/exploration/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findExploration } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/explorations/{id}',
  tags: ['explorations'],
  summary: 'Read an exploration: state, counters, estimates, cost',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: {
      description: 'The run',
      content: { 'application/json': { schema: explorationRecord.openapi('Exploration') } },
    },
    ...problems('not-found'),
  },
});

export const getExploration: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const run = await findExploration(c, c.req.valid('param').id);
    return c.json(unwrap(await run.get()), 200);
  });
