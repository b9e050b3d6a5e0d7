import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import type { Tool } from '#core/catalog/tool.ts';
import { estimateCostOfJudgingAgain } from '#core/evaluation/estimate-evaluation.ts';
import { evaluationConfig, type EvaluationConfig } from '#core/evaluation/config.ts';
import { createEvaluationOnBasis } from '#core/evaluation/create-on-basis.ts';
import { gatherEvaluationBasisOrRefuse } from '#core/evaluation/gather-basis.ts';
import { problemOfEvaluationRefusal } from '#core/evaluation/problems.ts';
import { listOwnJudgeWarnings } from '#core/evaluation/own-judges.ts';
import { evaluationRecord } from '#core/evaluation/record.ts';
import { mapErr } from '#core/values/result.ts';
import type { Endpoint } from '../context.ts';
import { dryRunQuery, dryRunResponse } from '../dry-run.ts';
import { makeEndpoint, idParams, describeJsonBody, describeCreatedResponse } from '../endpoint.ts';
import { makeRepeatableCreatingCall, idempotencyHeader } from '../idempotency.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireWorkingModels } from '../preflight.ts';
import { requireOwnedObject } from '../owned.ts';
import { bodyProblems, describeProblemResponses, unwrap } from '../problem.ts';
import { requireSightOfSplit } from '../require-sight.ts';
import type { EvaluationService } from '../services.ts';
import { judgeChoices, listJudgeModels, prepareJudgesForStorage } from '../stored-judges.ts';
import { requireOwnOrPublicBenchmark } from './evaluations.ts';

const { name, seed, concurrency } = evaluationConfig.shape;

const rejudging = z.strictObject({ ...judgeChoices, name, seed: seed.unwrap().optional(), concurrency });

const rejudge = makeEndpoint(
  {
    method: 'post',
    path: '/v1/evaluations/{id}/rejudge',
    tags: ['evaluations'],
    summary: 'Have the attempts of an evaluation judged again, by other judges',
    description:
      'Makes a new evaluation with the same agents, units, goals, traces and labels. No agent runs and no server is called. `/v1/evaluations/{id}/agreement` of the new one compares its verdicts and its ranking of the agents with those before. With an `Idempotency-Key` the call can be repeated.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: idParams,
      headers: idempotencyHeader,
      query: dryRunQuery,
      body: describeJsonBody(documented(rejudging, 'Rejudging')),
    },
    responses: {
      200: dryRunResponse,
      202: describeCreatedResponse('The run', documented(evaluationRecord, 'Evaluation')),
      ...describeProblemResponses(
        ...bodyProblems,
        'not-found',
        'wrong-state',
        'texts-deleted',
        'address-forbidden',
        'nothing-to-evaluate',
        'evaluation-too-large',
        'forbidden',
        'model-refused',
        'model-unreachable',
        'idempotency-mismatch',
      ),
    },
  },
  async (c) => {
    const body = c.req.valid('json');
    const { id: from } = c.req.valid('param');
    const { services, caller } = c.var;
    const workspace = services.object('workspace', caller.workspace);
    const wanted = { rejudges: from, ...body };
    const call = makeRepeatableCreatingCall(workspace, 'evaluation', c.req.valid('header')['idempotency-key'], wanted);
    const { dryRun } = c.req.valid('query');
    const earlier = dryRun ? null : await call.findEarlier((made) => services.object('evaluation', made).get());
    if (earlier !== null) return c.json(earlier, 202, { Location: `/v1/evaluations/${earlier.id}` });
    const source = await requireOwnedObject(c, 'evaluation', from);
    const { config: before, agents, seen } = unwrap(await source.rejudging.describe());
    requireSightOfSplit(c, before.split);
    const config = makeConfigToJudgeAgain(before, body);
    // Units and mounted tools are those of the earlier evaluation, whose seed drew them; only the judges' seed may differ.
    const { benchmark } = await requireOwnOrPublicBenchmark(c, before);
    const found = unwrap(
      mapErr(
        await gatherEvaluationBasisOrRefuse(benchmark, null, before, { count: agents.length, seen }),
        problemOfEvaluationRefusal,
      ),
    );
    const judges = await prepareJudgesForStorage(body, services.settings);
    const estimate = estimateCostOfJudgingAgain({ ...judges, protocol: found.protocol }, unwrap(await source.get()));
    if (dryRun) return c.json({ estimate }, 200);
    const { preflight, withLearnt } = await requireWorkingModels(listJudgeModels(judges), c.var);
    const now = new Date();
    const at = now.toISOString();
    const id = await call.newId('evl', now);
    await workspace.addResource('evaluation', { id, object: id, json: JSON.stringify({ createdAt: at }) });
    const record = await createEvaluationOnBasis(
      services.object('evaluation', id),
      {
        id,
        workspace: caller.workspace,
        config,
        agents,
        seen,
        judge: withLearnt(judges.judge),
        panel: judges.panel.map(withLearnt),
        embedder: withLearnt(judges.embedder),
        estimate,
        preflight: { ...preflight, warnings: [...preflight.warnings, ...listOwnJudgeWarnings(agents, judges)] },
        servers: [],
        offline: services.settings.OFFLINE_MODELS,
        submission: null,
        floorOf: null,
        rejudges: from,
        ...(body.seed === undefined ? {} : { judgeSeed: body.seed }),
        at,
      },
      { protocol: found.protocol, units: found.units, tools: await readToolsOfEvaluation(source) },
    );
    return c.json(record, 202, { Location: `/v1/evaluations/${id}` });
  },
);

/** Reads the tools of an evaluation page by page. */
async function readToolsOfEvaluation(run: Pick<EvaluationService, 'listTools'>): Promise<Tool[]> {
  const found: Tool[] = [];
  for (;;) {
    const { tools, isLast } = await run.listTools(found.at(-1)?.name ?? '');
    found.push(...tools);
    if (isLast || tools.length === 0) return found;
  }
}

/** Returns the config of an evaluation that judges another one again: no server is asked, and no agent runs. */
function makeConfigToJudgeAgain(
  before: EvaluationConfig,
  { name: own, concurrency: cases }: Pick<EvaluationConfig, 'name' | 'concurrency'>,
): EvaluationConfig {
  const { recordingId: _, ...rest } = before;
  return { ...rest, name: own, concurrency: cases, recording: 'off', judges: true, budget: {} };
}

export const rejudgingEndpoints: readonly Endpoint[] = [rejudge];
