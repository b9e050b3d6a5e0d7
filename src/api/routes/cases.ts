import { z } from '@hono/zod-openapi';
import { sightOf } from '#core/access.ts';
import { evaluationCase } from '#core/evaluation/case.ts';
import { caseDetail } from '#core/evaluation/record.ts';
import type { Endpoint } from '../context.ts';
import { anId, endpoint, idParams, json } from '../endpoint.ts';
import { requires } from '../middleware/authenticate.ts';
import { owned } from '../owned.ts';
import { page, pageOf, pageQuery } from '../pages.ts';
import { problems, unwrap } from '../problem.ts';

const listCases = endpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/cases',
    tags: ['evaluations'],
    summary: 'List the cases: an agent, a unit, a trial each',
    middleware: [requires('read')],
    request: { params: idParams, query: pageQuery },
    responses: {
      200: json('A page of cases', pageOf(evaluationCase.openapi('EvaluationCase'))),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await owned(c, 'evaluation', c.req.valid('param').id);
    return c.json(
      page(unwrap(await run.listCases(cursor, limit + 1, sightOf(c.var.caller))), limit, (each) => each.id),
      200,
    );
  },
);

const getCase = endpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/cases/{case}',
    tags: ['evaluations'],
    summary: 'Read a case with its two traces',
    middleware: [requires('read')],
    request: { params: z.object({ id: anId, case: z.string().max(200) }) },
    responses: {
      200: json('The case', caseDetail.openapi('CaseDetail')),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const { id, case: wanted } = c.req.valid('param');
    const run = await owned(c, 'evaluation', id);
    return c.json(unwrap(await run.getCase(wanted, sightOf(c.var.caller))), 200);
  },
);

export const caseEndpoints: readonly Endpoint[] = [listCases, getCase];
