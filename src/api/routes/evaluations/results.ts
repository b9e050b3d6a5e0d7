import { createRoute, z } from '@hono/zod-openapi';
import { comparison, evaluationResults } from '#core/evaluation/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findEvaluation } from './find.ts';

const params = z.object({ id: z.string().max(100) });

const resultsRoute = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}/results',
  tags: ['evaluations'],
  summary: 'Read the means of each agent with their intervals',
  description:
    'Over the units that are done so far. A score that is missing is left out of the mean and counted in `unscored`; an attempt that an infrastructure fault broke twice is in `notEvaluated`, never a wrong answer.',
  middleware: [requires('read')] as const,
  request: { params },
  responses: {
    200: {
      description: 'The agents in the order of the evaluation',
      content: { 'application/json': { schema: evaluationResults.openapi('EvaluationResults') } },
    },
    ...problems('not-found'),
  },
});

export const getResults: Endpoint = (api) =>
  void api.openapi(resultsRoute, async (c) => {
    const run = await findEvaluation(c, c.req.valid('param').id);
    unwrap(await run.get());
    return c.json(await run.results(), 200);
  });

const compareRoute = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}/compare',
  tags: ['evaluations'],
  summary: 'Compare two agents unit by unit',
  description: 'Differences are those of the first agent less the second, with paired bootstrap intervals.',
  middleware: [requires('read')] as const,
  request: { params, query: z.object({ a: z.string().min(1).max(60), b: z.string().min(1).max(60) }) },
  responses: {
    200: {
      description: 'The comparison',
      content: { 'application/json': { schema: comparison.openapi('Comparison') } },
    },
    ...problems('not-found'),
  },
});

export const compareAgents: Endpoint = (api) =>
  void api.openapi(compareRoute, async (c) => {
    const { a, b } = c.req.valid('query');
    const run = await findEvaluation(c, c.req.valid('param').id);
    unwrap(await run.get());
    return c.json(unwrap(await run.compare(a, b)), 200);
  });
