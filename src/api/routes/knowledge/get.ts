import { createRoute, z } from '@hono/zod-openapi';
import { knowledgeRecord } from '#core/knowledge/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findKnowledge } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/knowledge/{id}',
  tags: ['knowledge'],
  summary: 'Read what an index is and how many passages it has',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: {
      description: 'The index',
      content: { 'application/json': { schema: knowledgeRecord.openapi('Knowledge') } },
    },
    ...problems('not-found'),
  },
});

export const getKnowledge: Endpoint = (api) =>
  void api.openapi(route, async (c) =>
    c.json(unwrap(await (await findKnowledge(c, c.req.valid('param').id)).get()), 200),
  );
