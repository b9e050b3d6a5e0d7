import { createRoute, z } from '@hono/zod-openapi';
import { attachment } from '../../attachment.ts';
import type { Endpoint } from '../../context.ts';
import { openProblems, unwrap } from '../../problem.ts';
import { traceFile } from '../../trace-file.ts';
import { leaderboardNamed } from './find.ts';
import { entryParams } from './form.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/entries/{entry}/traces',
  tags: ['leaderboards'],
  summary: "Download an entry's public traces as JSON Lines",
  description:
    'Needs no key. A header, an attempt a line with its digest, and a seal, which is the one that the signed record names. What agents did with private units is not in it.',
  security: [],
  request: { params: entryParams },
  responses: {
    200: { description: 'The file', content: { 'text/jsonl': { schema: z.string() } } },
    ...openProblems('not-found', 'entry-gone'),
  },
});

export const downloadTraces: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id, entry } = c.req.valid('param');
    unwrap(await (await leaderboardNamed(c, id)).getEntry(entry));
    const submission = c.var.services.submission(entry);
    const header = unwrap(await submission.traceHeader());
    const file = traceFile(header, async (after) => unwrap(await submission.traceLines(after)));
    return c.body(file, 200, attachment(entry));
  });
