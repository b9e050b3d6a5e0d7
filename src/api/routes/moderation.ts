import { documented } from '#api/documented.ts';
import { boardSubmission } from '#core/leaderboards/record.ts';
import { moderation, submissionRecord } from '#core/leaderboards/submissions/record.ts';
import { submissionState } from '#core/leaderboards/submissions/state.ts';
import type { Endpoint } from '../context.ts';
import { makeEndpoint, idParams, describeJsonResponse, describeJsonBody } from '../endpoint.ts';
import { requireLeaderboardObject } from '../leaderboard-reads.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { bodyProblems, describeProblemResponses, unwrap } from '../problem.ts';
import { requireSubmissionToModerate } from './submissions.ts';

const moderateSubmission = makeEndpoint(
  {
    method: 'post',
    path: '/v1/submissions/{id}/moderate',
    tags: ['submissions'],
    summary: 'Decide on a submission to a leaderboard of the workspace',
    description:
      '`publish` and `reject` decide on one in moderation; `hide` takes a published entry off and `show` puts it back. Each is told in the log, with its reason.',
    middleware: [admitCallerWithScope('admin')],
    request: {
      params: idParams,
      body: describeJsonBody(documented(moderation, 'Moderation')),
    },
    responses: {
      200: describeJsonResponse('The submission', documented(submissionRecord, 'Submission')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'wrong-state'),
    },
  },
  async (c) => {
    const submission = await requireSubmissionToModerate(c, c.req.valid('param').id);
    return c.json(unwrap(await submission.moderate(c.req.valid('json'))), 200);
  },
);

const listBoardSubmissions = makeEndpoint(
  {
    method: 'get',
    path: '/v1/leaderboards/{id}/submissions',
    tags: ['leaderboards'],
    summary: 'List the submissions to a leaderboard, for its moderators',
    description: 'For admins of the workspace that the leaderboard belongs to. With `state`, those alone; by id.',
    middleware: [admitCallerWithScope('admin')],
    request: { params: idParams, query: pageQuery.extend({ state: submissionState.optional() }) },
    responses: {
      200: describeJsonResponse('A page of submissions', pageSchema(documented(boardSubmission, 'BoardSubmission'))),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { limit, cursor, state = null } = c.req.valid('query');
    const board = await requireLeaderboardObject(c, id);
    const { workspace } = c.var.caller;
    const read = unwrap(await board.listSubmissionsForModerators(workspace, state, cursor, limit + 1));
    return c.json(
      makePageFromItemsAndOneMore(read, limit, (submission) => submission.id),
      200,
    );
  },
);

export const moderationEndpoints: readonly Endpoint[] = [moderateSubmission, listBoardSubmissions];
