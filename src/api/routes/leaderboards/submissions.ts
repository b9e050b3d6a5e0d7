import { createRoute } from '@hono/zod-openapi';
import { submissionState } from '#core/submissions/state.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems, refusal, unwrap } from '../../problem.ts';
import { leaderboardNamed } from './find.ts';
import { leaderboardParams, submissionSummary } from './form.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/leaderboards/{id}/submissions',
  tags: ['leaderboards'],
  summary: 'List the submissions to a leaderboard, for its moderators',
  description: 'For admins of the workspace that the leaderboard belongs to. With `state`, those alone; by id.',
  middleware: [requires('admin')] as const,
  request: { params: leaderboardParams, query: pageQuery.extend({ state: submissionState.optional() }) },
  responses: {
    200: {
      description: 'A page of submissions',
      content: { 'application/json': { schema: pageOf(submissionSummary) } },
    },
    ...problems('not-found'),
  },
});

export const listBoardSubmissions: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { limit, cursor, state = null } = c.req.valid('query');
    const board = await leaderboardNamed(c, id);
    const { workspace } = unwrap(await board.birth());
    if (workspace !== c.var.caller.workspace) throw refusal('not-found', `the workspace has no leaderboard ${id}`);
    return c.json(
      page(await board.listSubmissions(state, cursor, limit + 1), limit, (submission) => submission.id),
      200,
    );
  });
