import { createRoute, z } from '@hono/zod-openapi';
import { placeOfTransition } from '#core/evaluation/agent-transitions.ts';
import { agentTransition } from '#core/evaluation/breakdown-record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';
import { findWithUnits } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}/results/transitions',
  tags: ['evaluations'],
  summary: 'List the transitions that each agent executed or should have',
  description:
    'The cells of a heat map: for each agent every pair of tools whose successful calls followed each other in some attempt, or that some chain of the evaluation has behind each other, with the number of units.',
  middleware: [requires('read')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    query: pageQuery,
  },
  responses: {
    200: {
      description: 'A page of transitions, by agent and tools',
      content: { 'application/json': { schema: pageOf(agentTransition.openapi('AgentTransition')) } },
    },
    ...problems('not-found'),
  },
});

export const listAgentTransitions: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await findWithUnits(c, c.req.valid('param').id);
    return c.json(page(await run.agentTransitions(cursor, limit + 1), limit, placeOfTransition), 200);
  });
