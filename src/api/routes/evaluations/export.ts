import { createRoute, z } from '@hono/zod-openapi';
import { exportFormats } from '#core/evaluation/breakdown-record.ts';
import { attachment } from '../../attachment.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems } from '../../problem.ts';
import { findWithUnits } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}/export',
  tags: ['evaluations'],
  summary: 'Export the attempts as JSON Lines or CSV',
  description:
    'An attempt a line, those that were made so far, by case. In CSV (RFC 4180, a header first) text from outside that a spreadsheet would take for a formula has an apostrophe before it.',
  middleware: [requires('read')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    query: z.object({ format: z.enum(exportFormats).default('jsonl') }),
  },
  responses: {
    200: {
      description: 'The file',
      content: { 'text/jsonl': { schema: z.string() }, 'text/csv': { schema: z.string() } },
    },
    ...problems('not-found'),
  },
});

export const exportEvaluation: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { format } = c.req.valid('query');
    const run = await findWithUnits(c, id);
    return c.body(await run.export(format), 200, attachment(id, format));
  });
