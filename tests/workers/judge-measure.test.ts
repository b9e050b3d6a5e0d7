import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { evaluationRecord, evaluationResults } from '#core/evaluation/record.ts';
import { judgeMeasure } from '#core/evaluation/judge-measure/judge-measure.ts';
import { openLeaderboard } from '../support/open-leaderboard.ts';
import { expectStatus, newWorkspace } from '../support/workspace.ts';

const listed = z.object({ items: z.array(judgeMeasure) });

describe('a judge', () => {
  test('is measured once in a workspace, and the results of what it judged say so', async () => {
    const workspace = await newWorkspace();
    const measure = async () => judgeMeasure.parse(expectStatus(await workspace.post('/v1/judges/measures', {}), 202));
    const list = async () => listed.parse(expectStatus(await workspace.get('/v1/judges/measures'), 200)).items;
    expect(await list()).toEqual([]);
    const begun = await measure();
    expect(begun.outcome.state).toBe('running');
    expect((await measure()).evaluation).toBe(begun.evaluation);
    await vi.waitFor(async () => expect(await list()).toMatchObject([{ outcome: { state: 'measured' } }]), {
      timeout: 150_000,
      interval: 500,
    });
    const ended = await measure();
    expect(ended.evaluation).toBe(begun.evaluation);
    if (ended.outcome.state !== 'measured') throw new Error('it was measured a moment ago');
    // The judge here always says yes.
    expect(ended.outcome.figures).toMatchObject({
      accuracy: { count: 72, n: 204 },
      sensitivity: { value: 1 },
      specificity: { value: 0 },
      turnedByAnswer: { count: 0, n: 72 },
      unreadable: 0,
    });
    const record = evaluationRecord.parse(
      expectStatus(await workspace.get(`/v1/evaluations/${begun.evaluation}`), 200),
    );
    expect(record.progress).toMatchObject({ attempts: 1_020, made: 1_020, notEvaluated: 0 });
    const { judging } = evaluationResults.parse(
      expectStatus(await workspace.get(`/v1/evaluations/${begun.evaluation}/results`), 200),
    );
    expect(judging?.judges).toMatchObject([{ measure: { evaluation: begun.evaluation } }]);
    // A judge that always says the same is no ground for a correction.
    expect(judging?.trueSuccess).toEqual({});
    const report = z.string().parse((await workspace.get(`/v1/evaluations/${begun.evaluation}/report`)).body);
    expect(report).toContain('attempts whose verdict is known');
    const board = await openLeaderboard(workspace, { judgeAccuracy: 0.9 });
    const page = z.string().parse((await workspace.get(`/leaderboards/${board.id}`)).body);
    expect(page).toContain('of 204 attempts whose verdict is known');
    const body = { leaderboard: board.id, name: 'Any', tier: 'gateway' };
    const refused = expectStatus(await workspace.post('/v1/submissions', body), 409);
    expect(refused).toMatchObject({ detail: expect.stringContaining('once its judge is right on 0.9') });
    expect(refused).toMatchObject({ detail: expect.stringContaining('is right on 35%') });
  }, 180_000);

  test('is estimated without being asked', async () => {
    const workspace = await newWorkspace();
    const answer = expectStatus(await workspace.post('/v1/judges/measures?dryRun=true', {}), 200);
    expect(answer).toMatchObject({ estimate: { tokens: expect.any(Number) } });
    expect(listed.parse(expectStatus(await workspace.get('/v1/judges/measures'), 200)).items).toEqual([]);
  });
});
