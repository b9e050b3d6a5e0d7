import { createRoute } from '@hono/zod-openapi';
import { recordingSummary } from '#core/evaluation/recording.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/recordings',
  tags: ['recordings'],
  summary: 'List the recordings',
  middleware: [requires('read')] as const,
  request: { query: pageQuery },
  responses: {
    200: {
      description: 'A page of recordings',
      content: { 'application/json': { schema: pageOf(recordingSummary.openapi('RecordingSummary')) } },
    },
    ...problems(),
  },
});

export const listRecordings: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.workspace(c.var.caller.workspace).listResources('recording', cursor, limit + 1);
    const found = read.map(({ id, json }) =>
      recordingSummary.parse({ ...recordingSummary.omit({ id: true }).parse(JSON.parse(json)), id }),
    );
    return c.json(
      page(found, limit, (each) => each.id),
      200,
    );
  });
