import { createRoute, z } from '@hono/zod-openapi';
import { exportFormats } from '#core/evaluation/breakdown-record.ts';
import { entriesHead, entryLine } from '#core/leaderboards/export.ts';
import type { Entry } from '#core/leaderboards/record.ts';
import { attachment } from '../../attachment.ts';
import type { Endpoint } from '../../context.ts';
import { openProblems } from '../../problem.ts';
import { pagedText } from '../../text-stream.ts';
import { leaderboardNamed } from './find.ts';
import { leaderboardParams } from './form.ts';

const entriesPerRead = 100;

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/export',
  tags: ['leaderboards'],
  summary: 'Export the published entries as JSON Lines or CSV',
  description:
    'Needs no key. An entry a line, by id. In CSV (RFC 4180, a header first) text from outside that a spreadsheet would take for a formula has an apostrophe before it; domains are in JSON Lines alone.',
  security: [],
  request: {
    params: leaderboardParams,
    query: z.object({ format: z.enum(exportFormats).default('jsonl') }),
  },
  responses: {
    200: {
      description: 'The file',
      content: { 'text/jsonl': { schema: z.string() }, 'text/csv': { schema: z.string() } },
    },
    ...openProblems('not-found'),
  },
});

export const exportLeaderboard: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { format } = c.req.valid('query');
    const board = await leaderboardNamed(c, id);
    const written = (each: Entry) => entryLine(format, each);
    const file = pagedText(
      entriesHead(format),
      async (last) => board.listEntries(last?.id ?? '', entriesPerRead),
      written,
    );
    return c.body(file, 200, attachment(id, format));
  });
