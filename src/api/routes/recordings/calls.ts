import { createRoute, z } from '@hono/zod-openapi';
import { recordedCall } from '#core/evaluation/recording.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';
import { findCalls } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/recordings/{id}/calls',
  tags: ['recordings'],
  summary: 'List the calls of one attempt with the whole answers of the servers',
  description:
    'Traces hold the beginning of each result and its hash; here are the results whole, in the order in which they came. An attempt is named `agent.trial.side`, such as `careful.01.source`. A page holds fewer than `limit` where answers are long.',
  middleware: [requires('read')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    query: pageQuery.extend({
      unit: z.string().min(1).max(100),
      attempt: z.string().min(1).max(100),
      cursor: z
        .string()
        .regex(/^\d{0,15}$/, 'the `nextCursor` of the page before')
        .default(''),
    }),
  },
  responses: {
    200: {
      description: 'A page of calls',
      content: { 'application/json': { schema: pageOf(recordedCall.openapi('RecordedCall')) } },
    },
    ...problems('not-found'),
  },
});

export const listRecordedCalls: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { unit, attempt, cursor, limit } = c.req.valid('query');
    const recording = await findCalls(c, c.req.valid('param').id);
    const { calls, next } = await recording.ofAttempt(unit, attempt, Number(cursor), limit);
    return c.json({ items: [...calls], nextCursor: next === null ? null : `${next}` }, 200);
  });
