import { env } from 'cloudflare:workers';
import { evictDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { agreement, reviewDetail, unitDetail, unitSummary, type UnitDetail } from '#core/exploration/record.ts';
import { stubWithParts } from '../support/platform/parts.ts';
import {
  explore,
  exploreToEnd,
  follow,
  prepare,
  recordOf,
  unitsOf,
  type Ground,
  type GroundOptions,
} from '../support/exploration.ts';
import { call, expectStatus, keyFor, pageOf, problemOf } from '../support/workspace.ts';

/** Units whose score lies in the middle tier. */
const doubtful: GroundOptions = {
  rules: [{ form: 'audit', behaviour: { kind: 'grades', semanticEquivalence: 87, parameterSolvability: 95 } }],
};

const review = (run: string, unit: string): string => `/v1/reviews/${run}/${unit}`;

async function firstOpen({ workspace }: Ground, run: string): Promise<string> {
  const answer = expectStatus(await workspace.get(`/v1/reviews?exploration=${run}`), 200);
  const unit = pageOf(unitSummary)
    .parse(answer)
    .items.find(({ probe }) => !probe);
  if (unit === undefined) throw new Error('nothing is in review');
  return unit.id;
}

async function unitOf({ workspace }: Ground, run: string, unit: string): Promise<UnitDetail> {
  return unitDetail.parse(expectStatus(await workspace.get(`/v1/explorations/${run}/units/${unit}`), 200));
}

/** Waits until a decision has been carried out. */
const settled = ({ workspace }: Ground, run: string, unit: string) =>
  expect.poll(
    async () => {
      const detail = unitDetail.parse(expectStatus(await workspace.get(`/v1/explorations/${run}/units/${unit}`), 200));
      return detail.unit.stage.kind === 'done' ? detail.unit.stage.status : detail.unit.stage.kind;
    },
    { timeout: 10_000 },
  );

describe('a parked unit', () => {
  test('shows a reviewer both requests, the chain with schemas, the audits and the earlier wordings', async () => {
    const ground = await prepare(doubtful);
    const { run } = await exploreToEnd(ground);
    const unit = await firstOpen(ground, run);
    const shown = reviewDetail.parse(expectStatus(await ground.workspace.get(review(run, unit)), 200));
    expect(shown.open).toBe(true);
    expect(shown.unit.pair?.source).not.toBe(shown.unit.pair?.followUp);
    expect(shown.tools.map(({ name }) => name)).toEqual(shown.unit.pair?.chain);
    expect(shown.tools.every(({ inputSchema }) => inputSchema['type'] === 'object')).toBe(true);
    expect(shown.unit.audits.at(-1)).toMatchObject({ score: 87, issues: [] });
  });

  test('is executed and counted once if it is approved after the run, even if calls are repeated', async () => {
    const ground = await prepare(doubtful);
    const { run, record: before } = await exploreToEnd(ground);
    expect(before.units).toMatchObject({ accepted: 0, review: 2 });
    const unit = await firstOpen(ground, run);
    // As after a restart: the object is loaded again from its storage.
    await evictDurableObject(env.EXPLORATION_RUN.getByName(run));
    const path = `${review(run, unit)}/decision`;
    const first = reviewDetail.parse(expectStatus(await ground.workspace.post(path, { decision: 'approve' }), 200));
    expect(first.unit.decisions).toMatchObject([{ verdict: { decision: 'approve' }, score: 87 }]);
    expectStatus(await ground.workspace.post(path, { decision: 'approve' }), 200);
    await settled(ground, run, unit).toBe('accepted');
    await expect.poll(async () => (await recordOf(ground, run)).units).toMatchObject({ accepted: 1, review: 1 });
    expectStatus(await ground.workspace.post(path, { decision: 'approve' }), 200);
    await stubWithParts(env.EXPLORATION_RUN.getByName(run)).reviews.wake(true);
    const after = await recordOf(ground, run);
    expect(after.units).toMatchObject({ accepted: 1, review: 1 });
    expect(after.transitions).toBeGreaterThan(0);
    expect(after.usage.calls).toBeGreaterThan(before.usage.calls);
    const { unit: done, traces } = await unitOf(ground, run, unit);
    expect(traces.source?.steps.length).toBe(done.pair?.chain.length);
    // Each request was put to the agent once.
    const opening = (await ground.model.asked()).filter(
      ({ form, messages }) => form === 'turn' && messages.length === 2,
    );
    expect(opening.length).toBe(2);
    const frozen = await ground.workspace.post('/v1/benchmarks', { explorations: [run], floor: false });
    expect(expectStatus(frozen, 201)).toMatchObject({ units: 1 });
  });

  test('continues after a killed instance, and pays for nothing twice', async () => {
    const ground = await prepare(doubtful);
    const { run } = await exploreToEnd(ground);
    const unit = await firstOpen(ground, run);
    const stub = env.EXPLORATION_RUN.getByName(run);
    expectStatus(await ground.workspace.post(`${review(run, unit)}/decision`, { decision: 'approve' }), 200);
    await stubWithParts(stub).reviews.wake(true);
    await settled(ground, run, unit).toBe('accepted');
    await expect.poll(async () => (await recordOf(ground, run)).units).toMatchObject({ accepted: 1, review: 1 });
    // The older instance is told to stop, or that there is nothing left.
    expect(await stubWithParts(stub).reviews.takeUnitWork(1, unit)).toMatchObject({ kind: 'stop' });
  });

  test('is removed when it is rejected, with the reason', async () => {
    const ground = await prepare(doubtful);
    const { run } = await exploreToEnd(ground);
    const unit = await firstOpen(ground, run);
    const body = { decision: 'reject', reason: 'nobody would ask that' };
    expectStatus(await ground.workspace.post(`${review(run, unit)}/decision`, body), 200);
    expect((await unitOf(ground, run, unit)).unit.stage).toMatchObject({
      status: 'rejected',
      reason: expect.stringContaining('nobody would ask that'),
    });
    expect((await recordOf(ground, run)).units).toMatchObject({ rejected: 1, review: 1 });
    expect(await firstOpen(ground, run)).not.toBe(unit);
  });

  test('is audited again when it is edited, and then executed or returned to the queue', async () => {
    const ground = await prepare(doubtful);
    const { run } = await exploreToEnd(ground);
    const unit = await firstOpen(ground, run);
    const { pair } = (await unitOf(ground, run, unit)).unit;
    const path = `${review(run, unit)}/decision`;
    await ground.model.script([
      { form: 'audit', behaviour: { kind: 'grades', semanticEquivalence: 60, parameterSolvability: 95 } },
    ]);
    const worse = { source: `${pair?.source} Or so.`, followUp: `${pair?.followUp} Or not.` };
    expectStatus(await ground.workspace.post(path, { decision: 'edit', edit: worse }), 200);
    await settled(ground, run, unit).toBe('review');
    await expect.poll(async () => (await recordOf(ground, run)).units).toMatchObject({ accepted: 0, review: 2 });
    await ground.model.script([
      { form: 'audit', behaviour: { kind: 'grades', semanticEquivalence: 82, parameterSolvability: 82 } },
    ]);
    const better = { source: `${pair?.source} Now.`, followUp: `Now then. ${pair?.followUp}` };
    await expect
      .poll(async () => (await ground.workspace.post(path, { decision: 'edit', edit: better })).status)
      .toBe(200);
    await settled(ground, run, unit).toBe('accepted');
    const { unit: done } = await unitOf(ground, run, unit);
    expect(done.pair).toMatchObject(better);
    expect(done.superseded.map(({ source }) => source)).toEqual([pair?.source, worse.source]);
    expect(done.decisions.map(({ verdict }) => verdict.decision)).toEqual(['edit', 'edit']);
    expect(done.audits.map(({ score }) => score)).toEqual([87, 60, 82]);
  });

  test('accepts one decision of two reviewers, and tells the second who was first', async () => {
    const ground = await prepare(doubtful);
    const { run } = await exploreToEnd(ground);
    const unit = await firstOpen(ground, run);
    const path = `${review(run, unit)}/decision`;
    const other = await keyFor(ground.workspace.id, 'read', 'run');
    const reject = { decision: 'reject', reason: 'no' };
    const answers = await Promise.all([
      ground.workspace.post(path, { decision: 'approve' }),
      call(other, 'POST', path, reject),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const loser = answers.find(({ status }) => status === 409);
    expect(loser?.body).toMatchObject({ code: 'review-decided', detail: expect.stringMatching(/decided at/) });
    // Who won may say it again; the same words by another key are another decision.
    expect(
      (await ground.workspace.post(path, { decision: 'approve' })).status +
        (await call(other, 'POST', path, reject)).status,
    ).toBe(609);
    const decisions = (await unitOf(ground, run, unit)).unit.decisions;
    expect(decisions.length).toBe(1);
    await settled(ground, run, unit).toMatch(/accepted|rejected/);
  });

  test('is counted with its round if the decision comes before the commit', async () => {
    const ground = await prepare({
      rules: [
        { form: 'audit', times: 1, behaviour: { kind: 'grades', semanticEquivalence: 87, parameterSolvability: 95 } },
        { form: 'audit', times: 1, behaviour: { kind: 'slow', ms: 1_500 } },
      ],
    });
    const run = await explore(ground, { batch: 2 });
    let parked = '';
    await follow(ground.workspace.key, run, {
      enough({ event }) {
        if (event.type !== 'unit.ended' || event.status !== 'review') return false;
        parked = event.unit;
        return true;
      },
    });
    expectStatus(await ground.workspace.post(`${review(run, parked)}/decision`, { decision: 'approve' }), 200);
    await follow(ground.workspace.key, run);
    await expect
      .poll(async () => (await recordOf(ground, run)).units)
      .toMatchObject({ review: 0, rejected: 0, lost: 0, dropped: 0, probes: 1, accepted: 2 });
  });

  test('counts in the agreement of reviewers and the critic', async () => {
    const ground = await prepare(doubtful);
    const { run } = await exploreToEnd(ground, { batch: 3 });
    const read = async () =>
      agreement.parse(expectStatus(await ground.workspace.get(`/v1/reviews/agreement?exploration=${run}`), 200));
    expect(await read()).toMatchObject({ open: 4, decided: 0, accuracy: null, kappa: null });
    const ids = (await unitsOf(ground, run)).filter(({ probe }) => !probe).map(({ id }) => id);
    const bodies = [{ decision: 'approve' }, { decision: 'reject', reason: 'no' }];
    for (const [index, body] of bodies.entries())
      expectStatus(await ground.workspace.post(`${review(run, ids[index] ?? '')}/decision`, body), 200);
    expect(await read()).toMatchObject({
      open: 2,
      decided: 2,
      approved: 1,
      rejected: 1,
      edited: 0,
      accuracy: 0.5,
      kappa: 0,
    });
    const decided = await ground.workspace.get(`/v1/reviews?exploration=${run}&state=decided`);
    expect(
      pageOf(unitSummary)
        .parse(expectStatus(decided, 200))
        .items.map(({ id }) => id),
    ).toEqual(ids.slice(0, 2));
  });

  test.each([
    [{ decision: 'approve', reason: 'x' }, 400],
    [{ decision: 'reject' }, 400],
    [{ decision: 'reject', reason: '  ' }, 400],
    [{ decision: 'edit' }, 400],
    [{ decision: 'edit', edit: { source: '', followUp: 'x' } }, 400],
    [{ decision: 'shelve' }, 400],
  ])('refuses %j', async (body, status) => {
    const ground = await prepare(doubtful);
    const { run } = await exploreToEnd(ground);
    const unit = await firstOpen(ground, run);
    const before = await unitOf(ground, run, unit);
    expect((await ground.workspace.post(`${review(run, unit)}/decision`, body)).status).toBe(status);
    expect(await unitOf(ground, run, unit)).toEqual(before);
  });

  test('must have been in review to be decided on', async () => {
    const ground = await prepare();
    const { run, units } = await exploreToEnd(ground);
    const path = `${review(run, units[1]?.unit.id ?? '')}/decision`;
    expect(problemOf(await ground.workspace.post(path, { decision: 'approve' }))).toEqual([409, 'review-decided']);
    expect(problemOf(await ground.workspace.get(review(run, units[1]?.unit.id ?? '')))).toEqual([404, 'not-found']);
    expect(
      problemOf(await ground.workspace.post(`${review(run, 'r0001-u99')}/decision`, { decision: 'approve' })),
    ).toEqual([404, 'not-found']);
  });
});

describe('a round that waits for reviewers', () => {
  const waits = { more: { review: 'wait', reviewTimeoutMs: 20_000 } };
  const awaited = async (ground: Ground, run: string, count: number): Promise<string[]> => {
    const units: string[] = [];
    await follow(ground.workspace.key, run, {
      enough({ event }) {
        if (event.type === 'review.awaited') units.push(event.unit);
        return units.length === count;
      },
    });
    return units;
  };

  test('continues with the decisions, and counts the units in their round', async () => {
    const ground = await prepare(doubtful);
    const run = await explore(ground, { batch: 1, ...waits });
    const units = await awaited(ground, run, 2);
    expect((await recordOf(ground, run)).rounds).toBe(0);
    for (const unit of units)
      expectStatus(await ground.workspace.post(`${review(run, unit)}/decision`, { decision: 'approve' }), 200);
    await follow(ground.workspace.key, run);
    expect(await recordOf(ground, run)).toMatchObject({
      status: 'completed',
      units: { accepted: 1, review: 0, probes: 1 },
    });
  });

  test('survives a new driver, and a decision that came before it looked', async () => {
    const ground = await prepare(doubtful);
    const run = await explore(ground, { batch: 1, ...waits });
    const units = await awaited(ground, run, 2);
    await env.EXPLORATION_RUN.getByName(run).wake(true);
    for (const unit of units)
      expectStatus(await ground.workspace.post(`${review(run, unit)}/decision`, { decision: 'approve' }), 200);
    await follow(ground.workspace.key, run);
    expect(await recordOf(ground, run)).toMatchObject({
      status: 'completed',
      units: { accepted: 1, review: 0, probes: 1 },
    });
    const opening = (await ground.model.asked()).filter(
      ({ form, messages }) => form === 'turn' && messages.length === 2,
    );
    expect(opening.length).toBe(4);
  });

  test('parks the unit when the time is up, and a later decision is still carried out', async () => {
    const ground = await prepare(doubtful);
    const { run, record } = await exploreToEnd(ground, { batch: 1, more: { review: 'wait', reviewTimeoutMs: 1_000 } });
    expect(record).toMatchObject({ status: 'completed', units: { accepted: 0, review: 1 } });
    const unit = await firstOpen(ground, run);
    expectStatus(await ground.workspace.post(`${review(run, unit)}/decision`, { decision: 'approve' }), 200);
    await expect.poll(async () => (await recordOf(ground, run)).units).toMatchObject({ accepted: 1, review: 0 });
  });
});
