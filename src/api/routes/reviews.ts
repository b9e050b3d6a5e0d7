import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { unitSightOfCaller } from '#core/access/access.ts';
import { agreement, reviewDetail } from '#core/exploration/record.ts';
import { verdict } from '#core/units/review.ts';
import { unitOrigin } from '#core/units/unit.ts';
import type { Endpoint } from '../context.ts';
import { idSchema, makeEndpoint, describeJsonResponse, describeJsonBody } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { makePageFromItemsAndOneMore, pageQuery } from '../pages.ts';
import { bodyProblems, describeProblemResponses, unwrap } from '../problem.ts';
import { seenPage, withheldUnits } from './units.ts';

const listReviews = makeEndpoint(
  {
    method: 'get',
    path: '/v1/reviews',
    tags: ['reviews'],
    summary: 'List the units that wait for a review, or that were decided on',
    description: withheldUnits,
    middleware: [admitCallerWithScope('read')],
    request: {
      query: pageQuery.extend({
        exploration: z.string().min(1).max(100),
        state: z.enum(['open', 'decided']).default('open'),
        origin: unitOrigin.optional(),
        tool: documented(z.string().max(300).optional(), { description: 'Only units whose chain holds this tool' }),
      }),
    },
    responses: {
      200: describeJsonResponse('A page of units', seenPage),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor, exploration, state, origin, tool } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'exploration', exploration);
    const filter = { state, origin: origin ?? null, tool: tool ?? null };
    const { units, withheld } = unwrap(
      await run.units.listReviews(filter, cursor, limit + 1, unitSightOfCaller(c.var.caller)),
    );
    return c.json({ ...makePageFromItemsAndOneMore(units, limit, (unit) => unit.id), withheld }, 200);
  },
);

const getAgreement = makeEndpoint(
  {
    method: 'get',
    path: '/v1/reviews/agreement',
    tags: ['reviews'],
    summary: 'How far reviewers and the critic agree',
    description:
      'Over the first decision on each unit of a run. The critic leans towards a unit whose score lies in the upper half of the middle tier; a reviewer agrees with a unit by approving it as it is.',
    middleware: [admitCallerWithScope('read')],
    request: { query: z.object({ exploration: z.string().min(1).max(100) }) },
    responses: {
      200: describeJsonResponse('Counts, accuracy and kappa', documented(agreement, 'Agreement')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'exploration', c.req.valid('query').exploration);
    return c.json(unwrap(await run.units.measureAgreementWithCritic()), 200);
  },
);

const getReview = makeEndpoint(
  {
    method: 'get',
    path: '/v1/reviews/{exploration}/{unit}',
    tags: ['reviews'],
    summary: 'Read what a reviewer needs to decide on a unit',
    description: 'A unit that a benchmark holds out needs a key with the scope `admin`.',
    middleware: [admitCallerWithScope('read')],
    request: { params: z.object({ exploration: idSchema, unit: idSchema }) },
    responses: {
      200: describeJsonResponse(
        'Both requests, the chain with schemas, the audits, the facts, earlier wordings and decisions',
        documented(reviewDetail, 'Review'),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { exploration, unit } = c.req.valid('param');
    const run = await requireOwnedObject(c, 'exploration', exploration);
    return c.json(unwrap(await run.units.getReview(unit, unitSightOfCaller(c.var.caller))), 200);
  },
);

const decideReview = makeEndpoint(
  {
    method: 'post',
    path: '/v1/reviews/{exploration}/{unit}/decision',
    tags: ['reviews'],
    summary: 'Decide on a unit in review',
    description:
      'Final, and kept with the key that decided. An approved unit is executed and counted; an edit is audited again and needs no more than the passing score, below which the unit comes back to the queue. The same decision by the same key may be sent again; any other one meets 409. A unit that a benchmark holds out needs a key with the scope `admin`.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: z.object({ exploration: idSchema, unit: idSchema }),
      body: describeJsonBody(documented(verdict, 'Decision')),
    },
    responses: {
      200: describeJsonResponse('The unit', documented(reviewDetail, 'Review')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'review-decided', 'wrong-state'),
    },
  },
  async (c) => {
    const { exploration, unit } = c.req.valid('param');
    const run = await requireOwnedObject(c, 'exploration', exploration);
    return c.json(
      unwrap(
        await run.reviews.recordDecision(unit, c.req.valid('json'), {
          key: c.var.caller.key,
          sight: unitSightOfCaller(c.var.caller),
        }),
      ),
      200,
    );
  },
);

export const reviewEndpoints: readonly Endpoint[] = [listReviews, getAgreement, getReview, decideReview];
