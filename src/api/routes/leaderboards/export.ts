import { createRoute, z } from '@hono/zod-openapi';
import { exportFormats, type ExportFormat } from '#core/evaluation/breakdown-record.ts';
import { entriesHead, entryLine } from '#core/leaderboards/export.ts';
import type { Endpoint } from '../../context.ts';
import { openProblems } from '../../problem.ts';
import type { LeaderboardService } from '../../services.ts';
import { textStream } from '../../text-stream.ts';
import { leaderboardNamed } from './find.ts';
import { leaderboardParams } from './form.ts';

const entriesPerRead = 100;

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'text/jsonl',
  csv: 'text/csv; charset=utf-8; header=present',
};

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
    return c.body(entryStream(board, format), 200, {
      'content-type': contentTypes[format],
      'content-disposition': `attachment; filename="${id}.${format}"`,
    });
  });

function entryStream(board: LeaderboardService, format: ExportFormat): ReadableStream<Uint8Array> {
  let head = entriesHead(format);
  let after = '';
  return textStream(async () => {
    const entries = await board.listEntries(after, entriesPerRead);
    const last = entries.at(-1);
    const before = head;
    head = '';
    if (last === undefined) return before === '' ? null : before;
    after = last.id;
    return before + entries.map((entry) => entryLine(format, entry)).join('');
  });
}
