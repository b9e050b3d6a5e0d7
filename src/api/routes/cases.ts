import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { unitSightOfCaller } from '#core/access/access.ts';
import { evaluationCase } from '#core/evaluation/case.ts';
import { caseFilter } from '#core/evaluation/case-filter.ts';
import { requestName } from '#core/benchmarks/protocols/case-requests.ts';
import { deletedTexts } from '#core/evaluation/delete-texts.ts';
import { caseDetail } from '#core/evaluation/record.ts';
import { toolReport } from '#core/reports/tool-report/record.ts';
import type { Endpoint } from '../context.ts';
import { idSchema, makeEndpoint, idParams, describeJsonResponse } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { describeProblemResponses, unwrap } from '../problem.ts';
import { toolReportDescription } from '../tool-report.ts';
import { listedWrite, writesCursor, writesDescription } from '../writes.ts';

const describedFilter = caseFilter.extend({
  outcome: documented(caseFilter.shape.outcome, { description: 'Only cases of which this became' }),
  agent: documented(caseFilter.shape.agent, { description: 'Only cases of this agent' }),
  unit: documented(caseFilter.shape.unit, { description: 'Only cases at this unit' }),
  tool: documented(caseFilter.shape.tool, { description: 'Only cases with a call of this tool, named `server/tool`' }),
  failure: documented(caseFilter.shape.failure, {
    description: 'Only cases with a call that failed for this; with `tool`, with such a call of the tool',
  }),
});

const listCases = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/cases',
    tags: ['evaluations'],
    summary: 'List the cases: an agent, a unit, a trial each',
    description:
      'With filters, those that have all of what is given. A page looks at 500 cases at most: so it can have fewer than `limit`, or none, and a `nextCursor` with which the list continues.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: pageQuery.extend(describedFilter.shape) },
    responses: {
      200: describeJsonResponse('A page of cases', pageSchema(documented(evaluationCase, 'EvaluationCase'))),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor, ...filter } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(unwrap(await run.cases.list(filter, cursor, limit, unitSightOfCaller(c.var.caller))), 200);
  },
);

const listWrites = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/writes',
    tags: ['evaluations'],
    summary: "List the calls that may have changed a server's state",
    description: writesDescription,
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: pageQuery.extend({ cursor: writesCursor }) },
    responses: {
      200: describeJsonResponse('A page of calls', pageSchema(listedWrite)),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const read = unwrap(await run.cases.listWrites(cursor, limit + 1, unitSightOfCaller(c.var.caller)));
    return c.json(
      makePageFromItemsAndOneMore(read, limit, ({ n }) => String(n)),
      200,
    );
  },
);

const caseParams = z.object({ id: idSchema, case: z.string().max(200) });

const reportOnTools = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/tools',
    tags: ['evaluations'],
    summary: 'Read what the attempts of an evaluation say about each tool',
    description: toolReportDescription,
    middleware: [admitCallerWithScope('read')],
    request: {
      params: idParams,
      query: z.object({
        agent: documented(z.string().max(100).optional(), {
          description: 'Only attempts of this agent; without it, of all',
        }),
      }),
    },
    responses: {
      200: describeJsonResponse('The report', documented(toolReport, 'ToolReport')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const { agent } = c.req.valid('query');
    return c.json(unwrap(await run.cases.reportOnTools(agent ?? null, unitSightOfCaller(c.var.caller))), 200);
  },
);

const getCase = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/cases/{case}',
    tags: ['evaluations'],
    summary: 'Read a case with its traces and the sub-intents of its unit',
    middleware: [admitCallerWithScope('read')],
    request: { params: caseParams },
    responses: {
      200: describeJsonResponse('The case', documented(caseDetail, 'CaseDetail')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id, case: wanted } = c.req.valid('param');
    const run = await requireOwnedObject(c, 'evaluation', id);
    return c.json(unwrap(await run.cases.get(wanted, unitSightOfCaller(c.var.caller))), 200);
  },
);

const deleteTexts = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/evaluations/{id}/cases/{case}/texts',
    tags: ['evaluations'],
    summary: 'Delete the texts of the attempts of a case, and keep their figures',
    description:
      'Deletes arguments, results, answers, the reasons of judges and people, and what a recording of this evaluation has of the attempts. Scores, counts, classes of failures and hashes stay, and so do all results. It cannot be undone; repeating it changes nothing. Evaluations that judged the attempts again have copies of their own. `keepTextsDays` of an evaluation does the same for all of its attempts.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: caseParams,
      query: z.object({
        request: documented(requestName.optional(), {
          description: 'The request of the attempt; without it all attempts of the case',
        }),
      }),
    },
    responses: {
      200: describeJsonResponse('The attempts without texts', documented(deletedTexts, 'DeletedTexts')),
      ...describeProblemResponses('not-found', 'wrong-state'),
    },
  },
  async (c) => {
    const { id, case: wanted } = c.req.valid('param');
    const { request = null } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', id);
    return c.json(unwrap(await run.texts.delete(wanted, request, unitSightOfCaller(c.var.caller))), 200);
  },
);

export const caseEndpoints: readonly Endpoint[] = [listCases, listWrites, reportOnTools, getCase, deleteTexts];
