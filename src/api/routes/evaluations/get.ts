import { createRoute, z } from '@hono/zod-openapi';
import { evaluationRecord } from '#core/evaluation/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findEvaluation } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}',
  tags: ['evaluations'],
  summary: 'Read an evaluation: state, progress, cost',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: {
      description: 'The run',
      content: { 'application/json': { schema: evaluationRecord.openapi('Evaluation') } },
    },
    ...problems('not-found'),
  },
});

export const getEvaluation: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const run = await findEvaluation(c, c.req.valid('param').id);
    return c.json(unwrap(await run.get()), 200);
  });
