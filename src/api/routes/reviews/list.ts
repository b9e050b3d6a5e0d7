import { createRoute, z } from '@hono/zod-openapi';
import { unitOrigin } from '#core/units/unit.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';
import { findExploration } from '../explorations/find.ts';
import { seenPage, sightOf, withheldUnits } from '../explorations/sight.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/reviews',
  tags: ['reviews'],
  summary: 'List the units that wait for a review, or that were decided on',
  description: withheldUnits,
  middleware: [requires('read')] as const,
  request: {
    query: pageQuery.extend({
      exploration: z.string().min(1).max(100),
      state: z.enum(['open', 'decided']).default('open'),
      origin: unitOrigin.optional(),
      tool: z.string().max(300).optional().openapi({ description: 'Only units whose chain holds this tool' }),
    }),
  },
  responses: {
    200: {
      description: 'A page of units',
      content: { 'application/json': { schema: seenPage } },
    },
    ...problems('not-found'),
  },
});

export const listReviews: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor, exploration, state, origin, tool } = c.req.valid('query');
    const run = await findExploration(c, exploration);
    const filter = { state, origin: origin ?? null, tool: tool ?? null };
    const { units, withheld } = await run.listReviews(filter, cursor, limit + 1, sightOf(c));
    return c.json({ ...page(units, limit, (unit) => unit.id), withheld }, 200);
  });
