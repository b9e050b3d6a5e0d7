import type { Context } from 'hono';
import type { LeaderboardBirth } from '#core/leaderboards/record.ts';
import type { SubmissionBirth, SubmissionRecord } from '#core/submissions/record.ts';
import type { ApiEnv } from '../../context.ts';
import { creatingCall, type CreatingCall } from '../../idempotency.ts';
import { refusal, unwrap } from '../../problem.ts';
import { leaderboardNamed } from '../leaderboards/find.ts';

/** The leaderboard that a submission is for; refused where the submitter means another version of its benchmark. */
export async function wantedLeaderboard(
  c: Context<ApiEnv>,
  id: string,
  benchmark: string | undefined,
): Promise<LeaderboardBirth> {
  const value = unwrap(await (await leaderboardNamed(c, id)).birth());
  if (benchmark !== undefined && benchmark !== value.benchmark) {
    throw refusal(
      'benchmark-mismatch',
      `the submission is for the benchmark ${benchmark}; the leaderboard ${id} is of ${value.benchmark}`,
    );
  }
  return value;
}

/** A call that submits, and the submission that one with the same key and body has made before; null where none has. */
export async function submittingCall(
  c: Context<ApiEnv>,
  key: string | undefined,
  body: unknown,
): Promise<{ readonly call: CreatingCall; readonly earlier: SubmissionRecord | null }> {
  const { services, caller } = c.var;
  const call = creatingCall(services.workspace(caller.workspace), 'submission', key, body);
  return { call, earlier: await call.earlier((id) => services.submission(id).again()) };
}

/** Where a submission can be read. */
export const locationOf = ({ id }: Pick<SubmissionRecord, 'id'>): string => `/v1/submissions/${id}`;

/** Gives birth to a submission that has the right form: it counts as one of the day, and its name becomes its submitter's. */
export async function receive(
  c: Context<ApiEnv>,
  leaderboard: LeaderboardBirth,
  submission: Pick<SubmissionBirth, 'id' | 'name' | 'tier' | 'agent' | 'at'>,
  upload: string | null = null,
): Promise<SubmissionRecord> {
  const { services, caller } = c.var;
  const { id, name, at } = submission;
  const workspace = services.workspace(caller.workspace);
  const { SUBMISSIONS_PER_DAY: perDay } = services.settings;
  if (!(await workspace.takeSubmission(id, perDay, Date.parse(at))))
    throw refusal('quota-exceeded', `a workspace may make ${perDay} submissions in 24 hours`);
  // After the quota: a name is taken for good, so that many could be kept from others.
  unwrap(await services.leaderboard(leaderboard.id).claimName(name, caller.workspace));
  // Listed before it is born: one that goes on must never be one that nobody can find.
  await workspace.addResource('submission', { id, object: id, json: JSON.stringify({ createdAt: at }) });
  const { benchmark, trials, seed } = leaderboard;
  return unwrap(
    await services
      .submission(id)
      .create(
        { ...submission, workspace: caller.workspace, leaderboard: leaderboard.id, benchmark, trials, seed },
        upload,
      ),
  );
}
