import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { transitionSortKey } from '#core/evaluation/agent-transitions.ts';
import { unitSightOfCaller } from '#core/access/access.ts';
import {
  agentTransition,
  breakdown,
  breakdowns,
  type Breakdown,
  unitResult,
} from '#core/evaluation/breakdown-record.ts';
import { anytimeComparison, defaultIrrelevance } from '#core/evaluation/compare-anytime.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { BenchmarkFloor } from '#core/evaluation/floor.ts';
import { addJudgeMeasures } from '#core/evaluation/judge-measure/measure-texts.ts';
import { inspectLog, inspectLogFileName } from '#core/evaluation/inspect-log/log.ts';
import { offering } from '#core/evaluation/offering.ts';
import { comparison, evaluationResults } from '#core/evaluation/record.ts';
import { unitResultSortKey } from '#core/evaluation/unit-results.ts';
import { attachmentHeaders, exportQuery, exportResponse } from '../attachment.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { makeEndpoint, idParams, describeJsonResponse, describeJsonLinesResponse } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { readFloorIfUnderProtocol } from '../measure-floor.ts';
import { readMeasuresOfJudges } from '../measure-judge.ts';
import { requireOwnedObject } from '../owned.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { describeProblemResponses, unwrap } from '../problem.ts';
import { streamTraceFileWithHashSeal } from '../trace-file.ts';

const getResults = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/results',
    tags: ['evaluations'],
    summary: 'Read the means of each agent with their intervals',
    description:
      'Over the units that are done so far. A score that is missing is left out of the mean and counted in `unscored`; an attempt that an infrastructure fault broke twice is in `notEvaluated`, never a wrong answer.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse(
        'The agents in the order of the evaluation',
        documented(evaluationResults, 'EvaluationResults'),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const results = unwrap(await run.results.read());
    const record = unwrap(await run.get());
    const [floor, judges] = await Promise.all([
      results.floor ?? readFloorOfBenchmark(c, record),
      readMeasuresOfJudges(c, record),
    ]);
    return c.json(addJudgeMeasures({ ...results, floor }, judges, record), 200);
  },
);

const comparedAgent = z.string().min(1).max(60);
const anytimeQuery = z.object({
  a: comparedAgent,
  b: comparedAgent,
  d: z.coerce.number().gt(0).lt(1).default(defaultIrrelevance),
});

const compareAgents = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/compare',
    tags: ['evaluations'],
    summary: 'Compare two agents unit by unit',
    description: 'Differences are those of the first agent less the second, with paired bootstrap intervals.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: z.object({ a: comparedAgent, b: comparedAgent }) },
    responses: {
      200: describeJsonResponse('The comparison', documented(comparison, 'Comparison')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { a, b } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(unwrap(await run.results.compare(a, b)), 200);
  },
);

const compareAnytime = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/compare-anytime',
    tags: ['evaluations'],
    summary: 'Compare two agents while the evaluation continues',
    description:
      'The headline of the second agent less that of the first, unit by unit in the order in which the evaluation takes them, with a 95% confidence sequence: it holds however often one looks, so the evaluation can be cancelled as soon as the verdict is not `undecided`. `d` is the largest difference that does not matter. Without judges there is no success, so nothing can be decided by it.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: anytimeQuery },
    responses: {
      200: describeJsonResponse('The comparison so far', documented(anytimeComparison, 'AnytimeComparison')),
      ...describeProblemResponses('not-found', 'wrong-state'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(unwrap(await run.results.compareAnytime(c.req.valid('query'))), 200);
  },
);

const compareOffering = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/offering',
    tags: ['evaluations'],
    summary: 'Compare ways of offering tools while the evaluation continues',
    description:
      'For agents of one model that differ in their loop: all of them with each other, unit by unit in the order in which the evaluation takes them, by the headline and by tokens, cost, time and calls. All intervals hold together with 95%, however often one looks. `suits` is the agent that rules all others out: each of them takes more and is no better by more than `d`, or is worse.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: anytimeQuery.pick({ d: true }) },
    responses: {
      200: describeJsonResponse('The comparison so far', documented(offering, 'Offering')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(unwrap(await run.results.compareOffering(c.req.valid('query').d)), 200);
  },
);

const listUnitResults = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/results/units',
    tags: ['evaluations'],
    summary: 'List what each agent came to in each unit',
    description: 'By unit and agent, over the trials that are done. A metric is null where no trial is scored.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams, query: pageQuery },
    responses: {
      200: describeJsonResponse('A page of units with an agent each', pageSchema(documented(unitResult, 'UnitResult'))),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(
      makePageFromItemsAndOneMore(
        unwrap(await run.results.listByUnit(cursor, limit + 1, unitSightOfCaller(c.var.caller))),
        limit,
        unitResultSortKey,
      ),
      200,
    );
  },
);

/** Returns the endpoint of a breakdown. */
const makeBreakdownEndpoint = ({ by, of, counting }: Breakdown): Endpoint =>
  makeEndpoint(
    {
      method: 'get',
      path: `/v1/evaluations/{id}/results/${by}s`,
      tags: ['evaluations'],
      summary: `Read the results of each agent on ${of}`,
      description: counting,
      middleware: [admitCallerWithScope('read')],
      request: { params: idParams },
      responses: {
        200: describeJsonResponse('All groups, by number or name', documented(breakdown, 'Breakdown')),
        ...describeProblemResponses('not-found'),
      },
    },
    async (c) => {
      const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
      return c.json({ items: unwrap(await run.results.breakdown(by, unitSightOfCaller(c.var.caller))) }, 200);
    },
  );

const listAgentTransitions = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/results/transitions',
    tags: ['evaluations'],
    summary: 'List the transitions that each agent executed or should have',
    description:
      'The cells of a heat map: for each agent every pair of tools whose successful calls followed each other in some attempt, or that some chain of the evaluation has behind each other, with the number of units.',
    middleware: [admitCallerWithScope('read')],
    request: {
      params: idParams,
      query: pageQuery,
    },
    responses: {
      200: describeJsonResponse(
        'A page of transitions, by agent and tools',
        pageSchema(documented(agentTransition, 'AgentTransition')),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    return c.json(
      makePageFromItemsAndOneMore(
        unwrap(await run.results.listTransitions(cursor, limit + 1, unitSightOfCaller(c.var.caller))),
        limit,
        transitionSortKey,
      ),
      200,
    );
  },
);

/** Returns the floor of an evaluation's benchmark; null if nobody has measured it. */
const readFloorOfBenchmark = (
  c: Context<ApiEnv>,
  { config, protocol }: EvaluationRecord,
): Promise<BenchmarkFloor | null> => readFloorIfUnderProtocol(c, config.benchmark, protocol);

const getReport = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/report',
    tags: ['evaluations'],
    summary: 'Read what an evaluation came to as a document for people',
    description: 'Over the units that are done so far. Names from outside are escaped.',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: { description: 'The report', content: { 'text/markdown': { schema: z.string() } } },
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const record = unwrap(await run.get());
    const [floor, judges] = await Promise.all([readFloorOfBenchmark(c, record), readMeasuresOfJudges(c, record)]);
    return c.body(unwrap(await run.results.renderReport(unitSightOfCaller(c.var.caller), { floor, judges })), 200, {
      'content-type': 'text/markdown; charset=utf-8',
    });
  },
);

const exportEvaluation = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/export',
    tags: ['evaluations'],
    summary: 'Export the attempts as JSON Lines or CSV',
    description:
      'An attempt a line, those that were made so far, by case. In CSV (RFC 4180, a header first) text from outside that a spreadsheet would take for a formula has an apostrophe before it.',
    middleware: [admitCallerWithScope('read')],
    request: {
      params: idParams,
      query: exportQuery,
    },
    responses: {
      200: exportResponse,
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { format } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', id);
    return c.body(
      unwrap(await run.cases.exportAttempts(format, unitSightOfCaller(c.var.caller))),
      200,
      attachmentHeaders(id, format),
    );
  },
);

/** The type of JSON that is streamed as text; a type that the compiler knows would have to be a value. */
const jsonFile: string = 'application/json';

const exportInspectLog = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/inspect-log',
    tags: ['evaluations'],
    summary: "Export an agent's attempts as an eval log of Inspect AI",
    description:
      "Inspect AI's JSON format, version 2: a sample for each attempt that was made so far, with its conversation, scores, usage and times. Save it under the name that the response gives: Inspect's viewer knows a log by the time at the beginning of its name.",
    middleware: [admitCallerWithScope('read')],
    request: {
      params: idParams,
      query: z.object({ agent: z.string().min(1).max(60) }),
    },
    responses: {
      200: { description: 'The log', content: { [jsonFile]: { schema: documented(inspectLog, 'InspectLog') } } },
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { agent } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', c.req.valid('param').id);
    const text = unwrap(await run.cases.exportInspectLog(agent, unitSightOfCaller(c.var.caller)));
    const name = inspectLogFileName(unwrap(await run.get()), agent);
    return c.body(text, 200, {
      'content-type': jsonFile,
      'content-disposition': `attachment; filename="${name}"`,
    });
  },
);

const exportTraces = makeEndpoint(
  {
    method: 'get',
    path: '/v1/evaluations/{id}/traces',
    tags: ['evaluations'],
    summary: "Take an agent's attempts along, to submit them to a leaderboard",
    description:
      'A file of traces as JSON Lines: a header, an attempt at a public unit a line, a seal over all. The evaluation has to be over.',
    middleware: [admitCallerWithScope('read')],
    request: {
      params: idParams,
      query: z.object({ agent: z.string().min(1).max(60) }),
    },
    responses: {
      200: describeJsonLinesResponse('The file'),
      ...describeProblemResponses('not-found', 'wrong-state', 'texts-deleted'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { agent } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'evaluation', id);
    const sight = unitSightOfCaller(c.var.caller);
    const header = unwrap(await run.scoring.traceHeader(agent, sight));
    const file = streamTraceFileWithHashSeal(header, async (after) =>
      unwrap(await run.scoring.listPublicLines(agent, after, sight)),
    );
    return c.body(file, 200, attachmentHeaders(`${id}-${agent}`));
  },
);

export const resultEndpoints: readonly Endpoint[] = [
  getResults,
  compareAgents,
  compareAnytime,
  compareOffering,
  listUnitResults,
  ...breakdowns.map(makeBreakdownEndpoint),
  listAgentTransitions,
  getReport,
  exportEvaluation,
  exportInspectLog,
  exportTraces,
];
