import { createRoute, z } from '@hono/zod-openapi';
import { evaluationRecord } from '#core/evaluation/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findEvaluation } from './find.ts';

/** Pausing, resuming and cancelling are the same endpoint with another verb. */
const controlRoute = <V extends 'pause' | 'resume' | 'cancel'>(verb: V, summary: string, description: string) =>
  createRoute({
    method: 'post',
    path: `/v1/evaluations/{id}/${verb}`,
    tags: ['evaluations'],
    summary,
    description,
    middleware: [requires('run')] as const,
    request: { params: z.object({ id: z.string().max(100) }) },
    responses: {
      200: {
        description: 'The run',
        content: { 'application/json': { schema: evaluationRecord.openapi('Evaluation') } },
      },
      ...problems('not-found', 'wrong-state', 'unsupported-media-type', 'body-too-large'),
    },
  });

const pause = controlRoute('pause', 'Pause an evaluation', 'Stages that are under way are finished and kept.');
const resume = controlRoute(
  'resume',
  'Resume a paused evaluation',
  'It goes on with the stage at which each case stands.',
);
const cancel = controlRoute('cancel', 'Cancel an evaluation', 'Final. What was committed stays and is in the results.');

export const pauseEvaluation: Endpoint = (api) =>
  void api.openapi(pause, async (c) =>
    c.json(unwrap(await (await findEvaluation(c, c.req.valid('param').id)).pause()), 200),
  );

export const resumeEvaluation: Endpoint = (api) =>
  void api.openapi(resume, async (c) =>
    c.json(unwrap(await (await findEvaluation(c, c.req.valid('param').id)).resume()), 200),
  );

export const cancelEvaluation: Endpoint = (api) =>
  void api.openapi(cancel, async (c) =>
    c.json(unwrap(await (await findEvaluation(c, c.req.valid('param').id)).cancel()), 200),
  );
