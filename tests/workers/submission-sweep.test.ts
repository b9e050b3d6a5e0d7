import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { submissionRecord, type SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import { board, received, serviceBody, settled, submitter, type Board } from '../support/board.ts';
import { withRules } from '../support/evaluation.ts';
import { amendStanding } from '../support/submission-standing.ts';
import { expectStatus } from '../support/workspace.ts';

/** No submission stays as it is without anybody hearing of it. */

/** What the guest calls the agent whose attempts are always the same: under another name they would be copies. */
const sameName = 'the same';

let bed: Board;
let guest: Awaited<ReturnType<typeof submitter>>;
beforeAll(async () => {
  bed = await board({ units: 2 });
  guest = await submitter();
});

const submissionOf = async (id: string): Promise<SubmissionRecord> =>
  submissionRecord.parse(expectStatus(await guest.get(`/v1/submissions/${id}`), 200));

/** One that waits for an agent that never comes. */
async function waiting(name: string): Promise<string> {
  const { id } = received(
    await guest.post('/v1/submissions', { leaderboard: bed.leaderboard.id, name, tier: 'gateway' }),
  );
  await vi.waitFor(async () => expect((await submissionOf(id)).state).toBe('scoring'), { timeout: 10_000 });
  return id;
}

describe('the sweep of submissions', () => {
  test('leaves one alone whose attempts continue', async () => {
    const id = await waiting('patient');
    await env.SUBMISSION.getByName(id).wake(true);
    expect(await submissionOf(id)).toMatchObject({ state: 'scoring' });
    await guest.post(`/v1/submissions/${id}/withdraw`, {});
  });

  test('gives up one that nobody has worked on for a week', async () => {
    const id = await waiting('forgotten');
    await amendStanding(id, (standing) => ({ ...standing, seen: { at: '2026-01-01T00:00:00.000Z', made: 0 } }));
    await env.SUBMISSION.getByName(id).wake(false);
    expect(await submissionOf(id)).toMatchObject({
      state: 'rejected',
      reason: 'nobody has worked on its attempts for 7 days',
    });
    const evaluation = await env.EVALUATION_RUN.getByName(id.replace('sub_', 'evl_')).get();
    expect(evaluation).toMatchObject({ ok: true, value: { status: 'cancelled' } });
  });

  test('gives up one that was driven too often in vain', async () => {
    const id = await waiting('hopeless');
    await amendStanding(id, (standing) => ({ ...standing, driver: 40 }));
    await env.SUBMISSION.getByName(id).wake(true);
    expect(await submissionOf(id)).toMatchObject({
      state: 'rejected',
      reason: expect.stringContaining('several times'),
    });
  });

  test('gives one whose driver was lost a new one, in any state', async () => {
    for (const state of ['queued', 'validating']) {
      const slow = await withRules(bed, { form: 'turn', behaviour: { kind: 'slow', ms: 300 } });
      const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, slow.model, sameName)));
      await vi.waitFor(async () => expect((await submissionOf(id)).state).toBe('scoring'), { timeout: 10_000 });
      // As if all that came after had never been: its evaluation is there and is not made twice.
      await amendStanding(id, (standing) => ({
        ...standing,
        history: [
          { state: 'queued', at: '2026-01-01T00:00:00.000Z', reason: '' },
          ...(state === 'queued' ? [] : [{ state, at: '2026-01-01T00:00:00.000Z', reason: '' }]),
        ],
      }));
      await env.SUBMISSION.getByName(id).wake(true);
      expect((await settled(guest, id)).record).toMatchObject({ state: 'published' });
    }
  });

  test('publishes one whose evaluation ended without reporting it', async () => {
    const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, bed.model, sameName)));
    const { record } = await settled(guest, id);
    await amendStanding(id, (standing) => ({
      ...standing,
      status: 'running',
      endedAt: null,
      history: record.history.slice(0, 3),
    }));
    expect((await submissionOf(id)).state).toBe('scoring');
    await env.SUBMISSION.getByName(id).wake(true);
    expect((await settled(guest, id)).record).toMatchObject({ state: 'published' });
  });

  test('reports a failure on our side without details', async () => {
    const id = await waiting('broken');
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await env.SUBMISSION.getByName(id).fail(100, 'a secret detail');
    expect(said).toHaveBeenCalledOnce();
    said.mockRestore();
    const record = await submissionOf(id);
    expect(record).toMatchObject({ state: 'rejected', reason: 'something went wrong on our side; submit it again' });
    expect(JSON.stringify(record)).not.toContain('secret');
  });

  test('names an evaluation that cannot be created as the reason', async () => {
    const ground = await board({ units: 2 });
    const [server] = z
      .object({ items: z.array(z.object({ id: z.string() })) })
      .parse((await ground.workspace.get('/v1/servers')).body).items;
    await ground.workspace.remove(`/v1/servers/${server?.id}`);
    const { id } = received(await guest.post('/v1/submissions', serviceBody(ground, ground.model, 'stranded')));
    expect((await settled(guest, id)).record).toMatchObject({
      state: 'rejected',
      reason: expect.stringContaining('not registered'),
    });
  });
});
