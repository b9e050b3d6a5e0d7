import { createRoute, z } from '@hono/zod-openapi';
import { reviewDetail } from '#core/exploration/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findExploration } from '../explorations/find.ts';
import { sightOf } from '../explorations/sight.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/reviews/{exploration}/{unit}',
  tags: ['reviews'],
  summary: 'Read what a reviewer needs to decide on a unit',
  description: 'A unit that a benchmark holds out needs a key with the scope `admin`.',
  middleware: [requires('read')] as const,
  request: { params: z.object({ exploration: z.string().max(100), unit: z.string().max(100) }) },
  responses: {
    200: {
      description: 'Both requests, the chain with schemas, the audits, the facts, earlier wordings and decisions',
      content: { 'application/json': { schema: reviewDetail.openapi('Review') } },
    },
    ...problems('not-found'),
  },
});

export const getReview: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { exploration, unit } = c.req.valid('param');
    const run = await findExploration(c, exploration);
    return c.json(unwrap(await run.getReview(unit, sightOf(c))), 200);
  });
