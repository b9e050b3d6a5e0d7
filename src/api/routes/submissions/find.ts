import type { Context } from 'hono';
import { allows } from '#core/access.ts';
import type { ApiEnv } from '../../context.ts';
import { ownedObject } from '../../owned.ts';
import { refusal } from '../../problem.ts';
import type { SubmissionService } from '../../services.ts';

/** The submission with this id that the caller's workspace made. */
export const ownSubmission = async (c: Context<ApiEnv>, id: string): Promise<SubmissionService> =>
  c.var.services.submission(await ownedObject(c, 'submission', id));

/** The submission with this id, where the caller moderates its leaderboard. */
export async function moderatedSubmission(c: Context<ApiEnv>, id: string): Promise<SubmissionService> {
  const { services, caller } = c.var;
  const boards = allows(caller, 'admin') ? await services.directory.leaderboardsOf(caller.workspace) : [];
  // The boards are asked, and not the submission: an object is made by being asked, and ids can be guessed.
  for (const board of boards) {
    if (await services.leaderboard(board).moderates(caller.workspace, id)) return services.submission(id);
  }
  throw refusal('not-found', `there is no submission ${id}`);
}

/** The submission with this id that the caller made or moderates. */
export async function visibleSubmission(c: Context<ApiEnv>, id: string): Promise<SubmissionService> {
  const own = await c.var.services.workspace(c.var.caller.workspace).findResource('submission', id);
  return own === null ? moderatedSubmission(c, id) : c.var.services.submission(own.object);
}
