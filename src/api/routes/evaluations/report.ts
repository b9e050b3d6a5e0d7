import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems } from '../../problem.ts';
import { findWithUnits } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}/report',
  tags: ['evaluations'],
  summary: 'Read what an evaluation came to as a document for people',
  description: 'Over the units that are done so far. Names from outside are escaped.',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: { description: 'The report', content: { 'text/markdown': { schema: z.string() } } },
    ...problems('not-found'),
  },
});

export const getReport: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const run = await findWithUnits(c, c.req.valid('param').id);
    return c.body(await run.report(), 200, { 'content-type': 'text/markdown; charset=utf-8' });
  });
