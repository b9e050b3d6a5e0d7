import { z } from '@hono/zod-openapi';
import { sightOfCaller } from '#core/access.ts';
import { evaluationCase } from '#core/evaluation/case.ts';
import { caseDetail } from '#core/evaluation/record.ts';
import type { Endpoint } from '../context.ts';
import { idSchema, makeEndpoint, idParams, describeJsonResponse } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { makePage, pageSchema, pageQuery } from '../pages.ts';
import { problemResponses, unwrap } from '../problem.ts';

const listCases = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/cases',
    tags: ['evaluations'],
    summary: 'List the cases: an agent, a unit, a trial each',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: pageQuery },
    responses: {
      200: describeJsonResponse('A page of cases', pageSchema(evaluationCase.openapi('EvaluationCase'))),
      ...problemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(
      makePage(unwrap(await run.listCases(cursor, limit + 1, sightOfCaller(c.var.caller))), limit, (each) => each.id),
      200,
    );
  },
);

const getCase = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/cases/{case}',
    tags: ['evaluations'],
    summary: 'Read a case with its traces and the sub-intents of its unit',
    middleware: [admitCallerWithScope('read')],
    request: { params: z.object({ id: idSchema, case: z.string().max(200) }) },
    responses: {
      200: describeJsonResponse('The case', caseDetail.openapi('CaseDetail')),
      ...problemResponses('not-found'),
    },
  },
  async (c) => {
    const { id, case: wanted } = c.req.valid('param');
    const run = await requireOwnedObject(c, 'evaluation', id);
    return c.json(unwrap(await run.getCaseDetail(wanted, sightOfCaller(c.var.caller))), 200);
  },
);

export const caseEndpoints: readonly Endpoint[] = [listCases, getCase];
