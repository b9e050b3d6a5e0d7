import { createRoute, z } from '@hono/zod-openapi';
import { explorationRecord } from '#core/exploration/record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findExploration } from './find.ts';

/** Pausing, resuming and cancelling are the same endpoint with another verb. */
const controlRoute = <V extends 'pause' | 'resume' | 'cancel'>(verb: V, summary: string, description: string) =>
  createRoute({
    method: 'post',
    path: `/v1/explorations/{id}/${verb}`,
    tags: ['explorations'],
    summary,
    description,
    middleware: [requires('run')] as const,
    request: { params: z.object({ id: z.string().max(100) }) },
    responses: {
      200: {
        description: 'The run',
        content: { 'application/json': { schema: explorationRecord.openapi('Exploration') } },
      },
      ...problems('not-found', 'wrong-state', 'unsupported-media-type', 'body-too-large'),
    },
  });

const pause = controlRoute('pause', 'Pause an exploration', 'Stages that are under way are finished and kept.');
const resume = controlRoute(
  'resume',
  'Resume a paused exploration',
  'It goes on with the stage at which each unit stands.',
);
const cancel = controlRoute('cancel', 'Cancel an exploration', 'Final. What was committed stays and can be frozen.');

export const pauseExploration: Endpoint = (api) =>
  void api.openapi(pause, async (c) =>
    c.json(unwrap(await (await findExploration(c, c.req.valid('param').id)).pause()), 200),
  );

export const resumeExploration: Endpoint = (api) =>
  void api.openapi(resume, async (c) =>
    c.json(unwrap(await (await findExploration(c, c.req.valid('param').id)).resume()), 200),
  );

export const cancelExploration: Endpoint = (api) =>
  void api.openapi(cancel, async (c) =>
    c.json(unwrap(await (await findExploration(c, c.req.valid('param').id)).cancel()), 200),
  );
