import { createRoute, z } from '@hono/zod-openapi';
import { evaluationCase } from '#core/evaluation/case.ts';
import { caseDetail } from '#core/evaluation/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems, unwrap } from '../../problem.ts';
import { findWithUnits } from './find.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}/cases',
  tags: ['evaluations'],
  summary: 'List the cases: an agent, a unit, a trial each',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }), query: pageQuery },
  responses: {
    200: {
      description: 'A page of cases',
      content: { 'application/json': { schema: pageOf(evaluationCase.openapi('EvaluationCase')) } },
    },
    ...problems('not-found'),
  },
});

export const listCases: Endpoint = (api) =>
  void api.openapi(listRoute, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await findWithUnits(c, c.req.valid('param').id);
    return c.json(
      page(await run.listCases(cursor, limit + 1), limit, (each) => each.id),
      200,
    );
  });

const getRoute = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}/cases/{case}',
  tags: ['evaluations'],
  summary: 'Read a case with its two traces',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100), case: z.string().max(200) }) },
  responses: {
    200: { description: 'The case', content: { 'application/json': { schema: caseDetail.openapi('CaseDetail') } } },
    ...problems('not-found'),
  },
});

export const getCase: Endpoint = (api) =>
  void api.openapi(getRoute, async (c) => {
    const { id, case: wanted } = c.req.valid('param');
    const run = await findWithUnits(c, id);
    return c.json(unwrap(await run.getCase(wanted)), 200);
  });
