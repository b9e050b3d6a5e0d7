import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { judgeMeasure } from '#core/evaluation/judge-measure/judge-measure.ts';
import type { Endpoint } from '../context.ts';
import { dryRunQuery, dryRunResponse } from '../dry-run.ts';
import { describeCreatedResponse, describeJsonBody, describeJsonResponse, makeEndpoint } from '../endpoint.ts';
import { estimateJudgeMeasure, startJudgeMeasure } from '../measure-judge.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { bodyProblems, describeProblemResponses } from '../problem.ts';
import { judgeChoices, prepareJudgesForStorage } from '../stored-judges.ts';

const judgeToMeasure = z.strictObject({
  /** Default: the deployment's. */
  judge: judgeChoices.judge,
  /** Measures it although it was measured in its present version, as a provider may change a model behind its name. */
  again: z.boolean().default(false),
});

const measureJudge = makeEndpoint(
  {
    method: 'post',
    path: '/v1/judges/measures',
    tags: ['judges'],
    summary: 'Measure a judge on attempts whose verdict is known',
    description:
      'The judge reads attempts in which the right verdict is planted, also with an order to the judge hidden in them. This is an evaluation, which can be followed. A judge that was measured in its present version is not asked again unless `again` is true, so the call can be repeated.',
    middleware: [admitCallerWithScope('run')],
    request: { query: dryRunQuery, body: describeJsonBody(documented(judgeToMeasure, 'JudgeToMeasure')) },
    responses: {
      200: dryRunResponse,
      202: describeCreatedResponse('The measure as it stands', documented(judgeMeasure, 'JudgeMeasure')),
      ...describeProblemResponses(...bodyProblems, 'address-forbidden', 'model-refused', 'model-unreachable'),
    },
  },
  async (c) => {
    const { judge: choice, again } = c.req.valid('json');
    const { judge } = await prepareJudgesForStorage({ judge: choice, panel: [] }, c.var.services.settings);
    if (c.req.valid('query').dryRun) return c.json({ estimate: await estimateJudgeMeasure(c, judge) }, 200);
    const measure = await startJudgeMeasure(c, judge, { again });
    return c.json(measure, 202, { Location: `/v1/evaluations/${measure.evaluation}` });
  },
);

const listMeasures = makeEndpoint(
  {
    method: 'get',
    path: '/v1/judges/measures',
    tags: ['judges'],
    summary: 'List the judges that were measured, with their figures',
    description: 'The latest measurement of each model at each endpoint in this workspace.',
    middleware: [admitCallerWithScope('read')],
    responses: {
      200: describeJsonResponse('By model', z.object({ items: z.array(documented(judgeMeasure, 'JudgeMeasure')) })),
      ...describeProblemResponses(),
    },
  },
  async (c) =>
    c.json({ items: await c.var.services.object('workspace', c.var.caller.workspace).listJudgeMeasures() }, 200),
);

export const judgeEndpoints: readonly Endpoint[] = [measureJudge, listMeasures];
