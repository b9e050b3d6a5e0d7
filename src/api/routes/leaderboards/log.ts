import { createRoute, z } from '@hono/zod-openapi';
import type { LogLine } from '#core/leaderboards/record.ts';
import type { Endpoint } from '../../context.ts';
import { openProblems } from '../../problem.ts';
import { pagedText } from '../../text-stream.ts';
import { leaderboardNamed } from './find.ts';
import { leaderboardParams } from './form.ts';

const linesPerRead = 500;

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/log',
  tags: ['leaderboards'],
  summary: 'Read the log of a leaderboard as JSON Lines',
  description:
    'Needs no key. Everything that was published, hidden, shown or withdrawn, and why. Each line has the hash of the line before and of itself in `hash`, so that one that is removed or altered shows.',
  security: [],
  request: { params: leaderboardParams },
  responses: {
    200: { description: 'The log', content: { 'text/jsonl': { schema: z.string() } } },
    ...openProblems('not-found'),
  },
});

export const readLog: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const board = await leaderboardNamed(c, c.req.valid('param').id);
    const written = (line: LogLine) => `${JSON.stringify(line)}\n`;
    const file = pagedText('', async (last) => board.logLines(last?.n ?? 0, linesPerRead), written);
    return c.body(file, 200, { 'content-type': 'text/jsonl' });
  });
