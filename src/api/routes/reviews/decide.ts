import { createRoute, z } from '@hono/zod-openapi';
import { reviewDetail } from '#core/exploration/record.ts';
import { verdict } from '#core/units/review.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findExploration } from '../explorations/find.ts';
import { sightOf } from '../explorations/sight.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/reviews/{exploration}/{unit}/decision',
  tags: ['reviews'],
  summary: 'Decide on a unit in review',
  description:
    'Final, and kept with the key that decided. An approved unit is executed and counted; an edit is audited again and needs no more than the passing score, below which the unit comes back to the queue. The same decision by the same key may be sent again; any other one meets 409. A unit that a benchmark holds out needs a key with the scope `admin`.',
  middleware: [requires('run')] as const,
  request: {
    params: z.object({ exploration: z.string().max(100), unit: z.string().max(100) }),
    body: { required: true, content: { 'application/json': { schema: verdict.openapi('Decision') } } },
  },
  responses: {
    200: { description: 'The unit', content: { 'application/json': { schema: reviewDetail.openapi('Review') } } },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'review-decided',
      'wrong-state',
    ),
  },
});

export const decideReview: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { exploration, unit } = c.req.valid('param');
    const run = await findExploration(c, exploration);
    return c.json(
      unwrap(await run.decide(unit, c.req.valid('json'), { key: c.var.caller.key, sight: sightOf(c) })),
      200,
    );
  });
