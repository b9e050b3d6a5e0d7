import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { submissionRecord, type SubmissionRecord } from '#core/submissions/record.ts';
import { board, rankedEntries, received, serviceBody, settled, submitter, type Board } from '../support/board.ts';
import { claimed } from '../support/external.ts';
import { amendStanding } from '../support/submission-standing.ts';
import { expectStatus, unique } from '../support/workspace.ts';

/** Whatever comes twice, too late or at the same time: what a submission is and what its leaderboard shows are one. */

let bed: Board;
let guest: Awaited<ReturnType<typeof submitter>>;
beforeAll(async () => {
  bed = await board({ units: 2 });
  guest = await submitter();
});

const submissionOf = async (id: string): Promise<SubmissionRecord> =>
  submissionRecord.parse(expectStatus(await guest.get(`/v1/submissions/${id}`), 200));

const isShown = async (id: string): Promise<boolean> => (await rankedEntries(bed)).some(({ entry }) => entry.id === id);

/** One that was published a moment ago. */
async function published(name: string): Promise<SubmissionRecord> {
  const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, bed.model, name)));
  const { record } = await settled(guest, id);
  expect(record.state).toBe('published');
  return record;
}

/** As it was before that, with the entry on the leaderboard all the same: the crash came in between. */
const cutOff = (id: string, history: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  amendStanding(id, (standing) => ({ ...standing, ...more, status: 'running', endedAt: null, history }));

const decide = (id: string, action: string) =>
  bed.workspace.post(`/v1/submissions/${id}/moderate`, { action, reason: 'it looks odd' });

describe('an evaluation', () => {
  test('that ended while its attempts were still being brought is published', async () => {
    const { id, history } = await published('early end');
    await cutOff(id, history.slice(0, 3));
    await env.SUBMISSION.getByName(id).brought();
    expect((await settled(guest, id)).record.state).toBe('published');
  });
});

describe('what was published', () => {
  test('leaves with a submission that is withdrawn before it heard of it', async () => {
    const { id, history } = await published('unheard');
    await cutOff(id, history.slice(0, 3));
    expectStatus(await guest.post(`/v1/submissions/${id}/withdraw`, {}), 200);
    expect((await submissionOf(id)).state).toBe('withdrawn');
    expect(await isShown(id)).toBe(false);
  });

  test('leaves with a submission that another moderator rejects meanwhile', async () => {
    const { id, history } = await published('disputed');
    const held = { state: 'moderation', at: '2026-01-01T00:00:00.000Z', reason: '' };
    await cutOff(id, [...history.slice(0, 3), held]);
    expect(await isShown(id)).toBe(true);
    expectStatus(await decide(id, 'reject'), 200);
    expect(await isShown(id)).toBe(false);
    await env.SUBMISSION.getByName(id).publish();
    expect((await submissionOf(id)).state).toBe('rejected');
    expect(await isShown(id)).toBe(false);
  });

  // Last: what a moderator hid is known from then on, and the others would be copies of it.
  test('stays hidden where the step that published it comes again', async () => {
    const { id } = await published('again');
    expectStatus(await decide(id, 'hide'), 200);
    await env.SUBMISSION.getByName(id).publish();
    expect((await submissionOf(id)).state).toBe('hidden');
    expect(await isShown(id)).toBe(false);
  });
});

describe('a withdrawal', () => {
  test('while the evaluation is made ends that one too', async () => {
    const asked = { leaderboard: bed.leaderboard.id, name: 'early', tier: 'gateway' };
    const { id } = received(await guest.post('/v1/submissions', asked));
    await vi.waitFor(async () => expect((await submissionOf(id)).state).toBe('scoring'), { timeout: 10_000 });
    const { history } = await submissionOf(id);
    await cutOff(id, history.slice(0, 2));
    expectStatus(await guest.post(`/v1/submissions/${id}/withdraw`, {}), 200);
    expect(await env.SUBMISSION.getByName(id).scoring()).toBe(false);
    const evaluation = await env.EVALUATION_RUN.getByName(id.replace('sub_', 'evl_')).get();
    expect(evaluation).toMatchObject({ ok: true, value: { status: 'cancelled' } });
  });
});

describe('a submission that was born and no more', () => {
  test('goes on where its submitter asks again', async () => {
    const body = { leaderboard: bed.leaderboard.id, name: 'newborn', tier: 'gateway' };
    const key = { headers: { 'idempotency-key': unique('newborn') } };
    const { id } = received(await guest.post('/v1/submissions', body, key));
    await vi.waitFor(async () => expect((await submissionOf(id)).state).toBe('scoring'), { timeout: 10_000 });
    const { history } = await submissionOf(id);
    await cutOff(id, history.slice(0, 1), { driver: 7 });
    expect(received(await guest.post('/v1/submissions', body, key)).id).toBe(id);
    await vi.waitFor(async () => expect((await submissionOf(id)).state).toBe('scoring'), { timeout: 10_000 });
    await guest.post(`/v1/submissions/${id}/withdraw`, {});
  });
});

describe('an upload', () => {
  test('that was given up before its submission took it over is none', async () => {
    const id = unique('sub_x');
    const { workspace, leaderboard, benchmark } = bed;
    const made = await env.SUBMISSION.getByName(id).create(
      {
        id,
        workspace: workspace.id,
        leaderboard: leaderboard.id,
        benchmark: benchmark.id,
        name: 'partial',
        tier: 'self-reported',
        agent: { name: 'steady', loop: 'uploaded', configuration: { loop: 'x', model: null, limits: {} } },
        trials: 1,
        seed: 1,
        at: new Date().toISOString(),
      },
      unique('upl_gone'),
    );
    expect(made).toMatchObject({ ok: false, problem: { code: 'content-mismatch' } });
    expect(await env.SUBMISSION.getByName(id).get()).toMatchObject({ ok: false, problem: { code: 'not-found' } });
  });
});

describe('an attempt through the gateway', () => {
  test('is had once: a claim that runs out is the agent’s result', async () => {
    const asked = { leaderboard: bed.leaderboard.id, name: 'tries', tier: 'gateway', limits: { timeMs: 600_000 } };
    const { id } = received(await guest.post('/v1/submissions', asked));
    const claim = async () =>
      claimed.parse(expectStatus(await guest.post('/v1/attempts/claim', { submission: id }), 200)).attempt;
    const first = await vi.waitFor(claim, { timeout: 10_000, interval: 100 });
    await runDurableObjectAlarm(env.ATTEMPT.getByName(first.id));
    const second = await claim();
    expect(second.request).not.toBe(first.request);
    const evaluation = await env.EVALUATION_RUN.getByName(id.replace('sub_', 'evl_')).get();
    expect(evaluation).toMatchObject({ ok: true, value: { progress: { made: 1 } } });
    await guest.post(`/v1/submissions/${id}/withdraw`, {});
  });

  test('takes no limit from its submitter that would turn slow calls into faults', async () => {
    const asked = { leaderboard: bed.leaderboard.id, name: 'short', tier: 'gateway', limits: { callTimeoutMs: 100 } };
    const answer = await guest.post('/v1/submissions', asked);
    expect(z.object({ code: z.string() }).parse(answer.body).code).toBe('invalid-request');
  });
});
