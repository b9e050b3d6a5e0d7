import { leaderboardRecord, rankedEntry, type LeaderboardRecord, type RankedEntry } from '#core/leaderboards/record.ts';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { submissionTier } from '#core/leaderboards/submissions/state.ts';
import { submissionRecord, type SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import type { RunEvent } from '#core/reports/events.ts';
import { z } from 'zod';
import type { TestBed } from './evaluation.ts';
import { exploreToEnd, follow, modelKey, prepare, type GroundOptions } from './exploration.ts';
import { call, expectStatus, keyFor, pageOf, unique, type Answer, type TestWorkspace } from './workspace.ts';
import type { OutsideModel } from './world.ts';

/** Leaderboards with submissions by the real workflow. For tests inside workerd. */

export interface Board extends TestBed {
  readonly leaderboard: LeaderboardRecord;
}

export interface BoardOptions extends GroundOptions {
  readonly units?: number;
  readonly privateShare?: number;
  readonly trials?: number;
}

/** A leaderboard on a benchmark of scripted units. */
export async function board({
  units = 3,
  privateShare = 0,
  trials = 1,
  ...options
}: BoardOptions = {}): Promise<Board> {
  const ground = await prepare(options);
  const { run } = await exploreToEnd(ground, { batch: units });
  const answer = await ground.workspace.post('/v1/benchmarks', { explorations: [run], privateShare, floor: false });
  const benchmark = benchmarkRecord.parse(expectStatus(answer, 201));
  const opened = await ground.workspace.post('/v1/leaderboards', {
    benchmark: benchmark.id,
    name: 'Fruit and trees',
    trials,
  });
  return { ...ground, benchmark, leaderboard: leaderboardRecord.parse(expectStatus(opened, 201)) };
}

/** Another workspace's key with the scope `submit`. */
export async function submitter(): Promise<Pick<TestWorkspace, 'id' | 'key' | 'get' | 'post'>> {
  const id = unique('ws');
  const key = await keyFor(id, 'read', 'submit');
  return {
    id,
    key,
    get: (path) => call(key, 'GET', path),
    post: (path, body, options) => call(key, 'POST', path, body, options),
  };
}
type Submitter = Awaited<ReturnType<typeof submitter>>;

/** The body of a submission in the tier `service`. */
export const serviceBody = (
  { leaderboard }: Pick<Board, 'leaderboard'>,
  model: OutsideModel,
  name: string,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  leaderboard: leaderboard.id,
  name,
  tier: 'service',
  agent: {
    model: 'scripted',
    endpoint: { baseUrl: model.baseUrl, apiKey: modelKey, promptPricePerMTok: 1, completionPricePerMTok: 2 },
    limits: { timeMs: 5_000 },
  },
  ...more,
});

export const received = (answer: Answer): SubmissionRecord => submissionRecord.parse(expectStatus(answer, 202));

/** Uploads a trace file. */
export const uploadTraces = (
  { post }: Pick<Submitter, 'post'>,
  { leaderboard }: Pick<Board, 'leaderboard'>,
  name: string,
  file: BodyInit,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  post(`/v1/submissions/upload?leaderboard=${leaderboard.id}&name=${encodeURIComponent(name)}`, undefined, {
    raw: file,
    headers: { 'content-type': 'text/jsonl', ...headers },
  });

/** Follows a submission until it is settled, and returns it. */
export async function settled(
  { key, get }: Pick<Submitter, 'key' | 'get'>,
  id: string,
): Promise<{ readonly record: SubmissionRecord; readonly events: RunEvent[] }> {
  const { events } = await follow(key, id, { of: 'submissions' });
  return { record: submissionRecord.parse(expectStatus(await get(`/v1/submissions/${id}`), 200)), events };
}

const entryPage = pageOf(rankedEntry).extend({ total: z.int() });

/** Reads the leaderboard without a key, tier after tier. */
export async function rankedEntries({ leaderboard }: Pick<Board, 'leaderboard'>): Promise<RankedEntry[]> {
  const ranked: RankedEntry[] = [];
  for (const tier of submissionTier.options) {
    const answer = await call(null, 'GET', `/v1/leaderboards/${leaderboard.id}/entries?tier=${tier}`);
    ranked.push(...entryPage.parse(expectStatus(answer, 200)).items);
  }
  return ranked;
}
