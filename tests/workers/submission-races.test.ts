import { introspectWorkflowInstance, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { submissionRecord, type SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import { traceFileLine, type TraceHeader, type TraceLine } from '#core/leaderboards/submissions/trace-file.ts';
import { Benchmark } from '#durable-objects/benchmark/benchmark.ts';
import { Leaderboard } from '#durable-objects/leaderboard/leaderboard.ts';
import { board, rankedEntries, received, serviceBody, settled, submitter, type Board } from '../support/board.ts';
import { claimed } from '../support/external.ts';
import { evaluateToEnd } from '../support/evaluation.ts';
import { fileText, sealedFile } from '../support/trace-file.ts';
import { amendStanding } from '../support/submission-standing.ts';
import { call, expectStatus, unique } from '../support/workspace.ts';

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

/** One that was published a moment ago. Scripted agents all do the same: under another name it would be a copy. */
async function published(): Promise<SubmissionRecord> {
  const { id } = received(await guest.post('/v1/submissions', serviceBody(bed, bed.model, 'scripted')));
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
  test('that ended while attempts were still being imported is published', async () => {
    const { id, history } = await published();
    await cutOff(id, history.slice(0, 3));
    await env.SUBMISSION.getByName(id).deleteImportedLinesAndContinue();
    expect((await settled(guest, id)).record.state).toBe('published');
  });
});

describe('a published entry', () => {
  test('is removed with a submission that is withdrawn before it hears of the entry', async () => {
    const { id, history } = await published();
    await cutOff(id, history.slice(0, 3));
    expectStatus(await guest.post(`/v1/submissions/${id}/withdraw`, {}), 200);
    expect((await submissionOf(id)).state).toBe('withdrawn');
    expect(await isShown(id)).toBe(false);
  });

  test('is removed with a submission that another moderator rejects meanwhile', async () => {
    const { id, history } = await published();
    const held = { state: 'moderation', at: '2026-01-01T00:00:00.000Z', reason: '' };
    await cutOff(id, [...history.slice(0, 3), held]);
    expect(await isShown(id)).toBe(true);
    expectStatus(await decide(id, 'reject'), 200);
    expect(await isShown(id)).toBe(false);
    await env.SUBMISSION.getByName(id).publishOrReject();
    expect((await submissionOf(id)).state).toBe('rejected');
    expect(await isShown(id)).toBe(false);
  });

  // Last: what a moderator hid is known from then on, and the others would be copies of it.
  test('stays hidden if the step that published it runs again', async () => {
    const { id } = await published();
    expectStatus(await decide(id, 'hide'), 200);
    await env.SUBMISSION.getByName(id).publishOrReject();
    expect((await submissionOf(id)).state).toBe('hidden');
    expect(await isShown(id)).toBe(false);
  });
});

describe('a withdrawal', () => {
  test('during the creation of the evaluation ends that one too', async () => {
    const asked = { leaderboard: bed.leaderboard.id, name: 'early', tier: 'gateway' };
    const { id } = received(await guest.post('/v1/submissions', asked));
    await vi.waitFor(async () => expect((await submissionOf(id)).state).toBe('scoring'), { timeout: 10_000 });
    const { history } = await submissionOf(id);
    await cutOff(id, history.slice(0, 2));
    expectStatus(await guest.post(`/v1/submissions/${id}/withdraw`, {}), 200);
    expect(await env.SUBMISSION.getByName(id).markScoringOrCancelEvaluation()).toBe(false);
    const evaluation = await env.EVALUATION_RUN.getByName(id.replace('sub_', 'evl_')).get();
    expect(evaluation).toMatchObject({ ok: true, value: { status: 'cancelled' } });
  });
});

describe('a submission whose creation crashed halfway', () => {
  test('continues when its submitter asks again', async () => {
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

describe('two drivers of one submission', () => {
  let header: TraceHeader;
  let lines: TraceLine[] = [];
  beforeAll(async () => {
    const { run } = await evaluateToEnd(bed, ['steady'], { trials: 1 });
    const answer = await bed.workspace.get(`/v1/evaluations/${run}/traces?agent=steady`);
    for (const text of z.string().parse(expectStatus(answer, 200)).trimEnd().split('\n')) {
      const line = traceFileLine.parse(JSON.parse(text));
      if (line.type === 'traces') header = line;
      if (line.type === 'attempt') lines.push(line);
    }
  });
  const restores: (() => void)[] = [];
  afterEach(() => {
    for (const restore of restores.splice(0)) restore();
  });

  /** A submission of traces whose workflow does nothing: the test drives it. */
  async function driven(uploaded: readonly TraceLine[] = lines) {
    const id = unique('sub_driven');
    const drivers = await Promise.all(
      [1, 2, 3].map(async (driver) => {
        const instance = await introspectWorkflowInstance(env.SUBMISSION_WORKFLOW, `${id}-${driver}`);
        await instance.modify((m) => m.mockStepResult({ name: 'open' }, { kind: 'stop', why: 'over' }));
        return instance;
      }),
    );
    const upload = unique('upl_driven');
    const file = fileText(
      await sealedFile(
        header,
        uploaded.map((line) => {
          const { sha256: _, ...rest } = line;
          return rest;
        }),
      ),
    ).trimEnd();
    await env.SUBMISSION.getByName(upload).beginUpload();
    await env.SUBMISSION.getByName(upload).uploadLines(file.split('\n').map((text, n) => ({ number: n + 1, text })));
    await env.SUBMISSION.getByName(upload).describeUploadIfComplete();
    const stub = env.SUBMISSION.getByName(id);
    const made = await stub.create(
      {
        id,
        workspace: guest.id,
        leaderboard: bed.leaderboard.id,
        benchmark: bed.benchmark.id,
        name: id,
        tier: 'self-reported',
        agent: { name: 'steady', loop: 'uploaded', configuration: header.configuration },
        trials: 1,
        seed: 1,
        at: new Date().toISOString(),
      },
      upload,
    );
    expect(made).toMatchObject({ ok: true, value: { state: 'queued' } });
    const state = async () => {
      const found = await stub.get();
      return found.ok ? found.value.state : found.problem.code;
    };
    return { stub, state, done: () => Promise.all(drivers.map((driver) => driver.dispose())) };
  }

  /** Holds the first call of a method up until it is let go; others pass. */
  function holdUp(prototype: object, method: string) {
    const before = Object.getOwnPropertyDescriptor(prototype, method);
    const original: unknown = before?.value;
    if (before === undefined || typeof original !== 'function') throw new Error(`there is no method ${method}`);
    let [calls, free] = [0, false];
    const value = async function (this: unknown, ...args: unknown[]): Promise<unknown> {
      calls += 1;
      if (calls === 1) await vi.waitUntil(() => free, { timeout: 5_000, interval: 10 });
      const answer: unknown = Reflect.apply(original, this, args);
      return answer;
    };
    Object.defineProperty(prototype, method, { ...before, value });
    restores.push(() => void Object.defineProperty(prototype, method, before));
    const reached = () => vi.waitUntil(() => calls > 0, { timeout: 5_000, interval: 10 });
    return { reached, letGo: () => void (free = true) };
  }
  const slowTools = () => holdUp(Benchmark.prototype, 'listCatalogTools');
  const slowTurn = () => holdUp(Leaderboard.prototype, 'admitIfFree');

  test('do not reject what one of them has imported while the other still checks it', async () => {
    const { stub, done } = await driven();
    await stub.takeTurnAndFindWork(1);
    expect(await stub.validateUpload(1)).toBe(true);
    await stub.wake(true);
    expect(await stub.takeTurnAndFindWork(2)).toMatchObject({ kind: 'validate' });
    const { reached, letGo } = slowTools();
    const second = stub.validateUpload(2);
    await reached();
    expect(await stub.markScoringOrCancelEvaluation()).toBe(true);
    await stub.deleteImportedLinesAndContinue();
    letGo();
    await second;
    expect(await stub.get()).toMatchObject({ ok: true, value: { state: 'scoring', findings: [] } });
    await stub.withdraw('that was all');
    await done();
  });

  test('leave the verdict to the newer one', async () => {
    const { stub, state, done } = await driven(lines.slice(1));
    await stub.takeTurnAndFindWork(1);
    const { reached, letGo } = slowTools();
    const first = stub.validateUpload(1);
    await reached();
    await stub.wake(true);
    letGo();
    expect(await first).toBe(false);
    expect(await state()).toBe('validating');
    expect(await stub.validateUpload(2)).toBe(false);
    expect(await stub.get()).toMatchObject({
      ok: true,
      value: { state: 'rejected', findings: [{ kind: 'missing-unit' }] },
    });
    await done();
  });

  test('do not both continue if one took over while the other waited for its turn', async () => {
    const { stub, state, done } = await driven();
    const { reached, letGo } = slowTurn();
    const first = stub.takeTurnAndFindWork(1);
    await reached();
    await stub.startIfAdmitted();
    letGo();
    expect(await first).toEqual({ kind: 'stop', why: 'superseded' });
    expect(await state()).toBe('queued');
    expect(await stub.takeTurnAndFindWork(2)).toEqual({ kind: 'validate', tier: 'self-reported' });
    await stub.withdraw('that was all');
    await done();
  });

  test('are one if the call to continue comes after the first has begun', async () => {
    const { stub, done } = await driven();
    const { reached, letGo } = slowTurn();
    const called = stub.startIfAdmitted();
    await reached();
    expect(await stub.takeTurnAndFindWork(1)).toMatchObject({ kind: 'validate' });
    letGo();
    await called;
    expect(await stub.validateUpload(1)).toBe(true);
    await stub.withdraw('that was all');
    await done();
  });
});

describe('an attempt through the gateway', () => {
  test("can be claimed once, and an expired claim is the agent's result", async () => {
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
    const givenBack = await call(guest.key, 'DELETE', `/v1/attempts/${second.id}`);
    expect(expectStatus(givenBack, 200), 'a claim is a try, also without a call').toEqual({ again: false });
    const third = await claim();
    expect(third.request).not.toBe(second.request);
    const crash = await guest.post(`/v1/attempts/${third.id}/response`, { response: '', crashed: true });
    expect(expectStatus(crash, 200), 'a crash is final').toMatchObject({ evaluated: true, progress: { made: 3 } });
    expect((await claim()).request).not.toBe(third.request);
    await guest.post(`/v1/submissions/${id}/withdraw`, {});
  });

  test('takes no limit from its submitter that would turn slow calls into faults', async () => {
    const asked = { leaderboard: bed.leaderboard.id, name: 'short', tier: 'gateway', limits: { callTimeoutMs: 100 } };
    const answer = await guest.post('/v1/submissions', asked);
    expect(z.object({ code: z.string() }).parse(answer.body).code).toBe('invalid-request');
  });
});
