import { createRoute, z } from '@hono/zod-openapi';
import { unitResult } from '#core/evaluation/breakdown-record.ts';
import { placeOfUnitResult } from '#core/evaluation/unit-results.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';
import { findWithUnits } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}/results/units',
  tags: ['evaluations'],
  summary: 'List what each agent came to in each unit',
  description: 'By unit and agent, over the trials that are done. A metric is null where no trial is scored.',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }), query: pageQuery },
  responses: {
    200: {
      description: 'A page of units with an agent each',
      content: { 'application/json': { schema: pageOf(unitResult.openapi('UnitResult')) } },
    },
    ...problems('not-found'),
  },
});

export const listUnitResults: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await findWithUnits(c, c.req.valid('param').id);
    return c.json(page(await run.unitResults(cursor, limit + 1), limit, placeOfUnitResult), 200);
  });
