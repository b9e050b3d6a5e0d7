import { createRoute, z } from '@hono/zod-openapi';
import { attachment } from '../../attachment.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { traceFile } from '../../trace-file.ts';
import { findWithUnits } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/evaluations/{id}/traces',
  tags: ['evaluations'],
  summary: "Take an agent's attempts along, to submit them to a leaderboard",
  description:
    'A file of traces as JSON Lines: a header, an attempt at a public unit a line, a seal over all. The evaluation has to be over.',
  middleware: [requires('read')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    query: z.object({ agent: z.string().min(1).max(60) }),
  },
  responses: {
    200: { description: 'The file', content: { 'text/jsonl': { schema: z.string() } } },
    ...problems('not-found', 'wrong-state'),
  },
});

export const exportTraces: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { agent } = c.req.valid('query');
    const run = await findWithUnits(c, id);
    const header = unwrap(await run.traceHeader(agent));
    const file = traceFile(header, async (after) => unwrap(await run.traceLines(agent, after)));
    return c.body(file, 200, attachment(`${id}-${agent}`));
  });
