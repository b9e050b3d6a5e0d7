import { createRoute, z } from '@hono/zod-openapi';
import { agreement } from '#core/exploration/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems } from '../../problem.ts';
import { findExploration } from '../explorations/find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/reviews/agreement',
  tags: ['reviews'],
  summary: 'How far reviewers and the critic agree',
  description:
    'Over the first decision on each unit of a run. The critic leans towards a unit whose score lies in the upper half of the middle tier; a reviewer agrees with a unit by approving it as it is.',
  middleware: [requires('read')] as const,
  request: { query: z.object({ exploration: z.string().min(1).max(100) }) },
  responses: {
    200: {
      description: 'Counts, accuracy and kappa',
      content: { 'application/json': { schema: agreement.openapi('Agreement') } },
    },
    ...problems('not-found'),
  },
});

export const getAgreement: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const run = await findExploration(c, c.req.valid('query').exploration);
    return c.json(await run.agreement(), 200);
  });
