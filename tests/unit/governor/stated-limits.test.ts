import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideWhichWaitingStart,
  describeGovernor,
  stateAfterRequestEnd,
  governorState,
  newGovernor,
  type GovernorState,
} from '#core/models/governor/governor.ts';
import type { StatedLimits } from '#core/catalog/stated-limits.ts';

const t0 = 1_800_000_000_000;

/** Sends requests at moments, each taking a while, as soon as the governor lets them start; returns when each started. */
function sendAll(limits: StatedLimits, arrivals: readonly number[], tookMs: number): number[] {
  let state: GovernorState = newGovernor;
  const starts: number[] = [];
  const ends: { readonly lease: string; readonly atMs: number }[] = [];
  let waiting = arrivals.map((ms, n) => ({ lease: `r${n}`, tokens: 0, sinceMs: t0 + ms, limits }));
  for (let nowMs = t0; waiting.length > 0;) {
    for (const { lease } of ends.splice(0, ends.findLastIndex(({ atMs }) => atMs <= nowMs) + 1))
      state = stateAfterRequestEnd(state, { lease, outcome: 'answered', told: {} }, nowMs);
    const here = waiting.filter(({ sinceMs }) => sinceMs <= nowMs);
    const admitted = decideWhichWaitingStart(state, here, nowMs);
    state = admitted.state;
    waiting = waiting.filter(({ lease }) => !admitted.started.includes(lease));
    for (const lease of admitted.started) {
      starts.push(nowMs);
      ends.push({ lease, atMs: nowMs + tookMs });
    }
    const later = waiting.map(({ sinceMs }) => sinceMs).filter((ms) => ms > nowMs);
    const moments = [...later, ...ends.map(({ atMs }) => atMs), admitted.nextMs ?? Infinity].filter((ms) => ms > nowMs);
    nowMs = moments.length === 0 ? nowMs + 1 : Math.min(...moments);
  }
  return starts;
}

describe('a server whose owner says how much it takes', () => {
  test('never gets more in any 60 seconds than it takes in a minute, and everybody gets a turn', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 40 }),
        (perMinute, arrivals) => {
          const starts = sendAll({ perMinute }, arrivals, 10);
          expect(starts).toHaveLength(arrivals.length);
          for (const from of starts)
            expect(starts.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(perMinute);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('never has more under way at once than it takes', () => {
    const starts = sendAll(
      { concurrency: 3 },
      Array.from({ length: 30 }, () => 0),
      1_000,
    );
    for (const from of starts) expect(starts.filter((at) => at > from - 1_000 && at <= from).length).toBeLessThan(4);
    expect(Math.max(...starts) - t0).toBe(9_000);
  });

  test('gets an operation that counts for more than its minute once it had none for a minute', () => {
    const ask = (lease: string, requests: number) => ({
      lease,
      tokens: 0,
      sinceMs: t0,
      requests,
      limits: { perMinute: 1 },
    });
    const first = decideWhichWaitingStart(newGovernor, [ask('a', 2)], t0);
    expect(first.started).toEqual(['a']);
    const second = decideWhichWaitingStart(first.state, [ask('b', 1)], t0 + 1);
    expect(second).toMatchObject({ started: [], nextMs: t0 + 61_000, isBroken: false });
    expect(decideWhichWaitingStart(first.state, [ask('b', 1)], t0 + 61_000).started).toEqual(['b']);
    expect(describeGovernor(first.state, t0 + 1)).toMatchObject({ underWay: 1, startedInLastMinute: 2 });
  });

  test('is governed by what an earlier release stored too', () => {
    const { starts: _starts, circuit: _circuit, ...earlier } = newGovernor;
    expect(governorState.parse(earlier)).toEqual(newGovernor);
  });
});

describe('a server that answers nothing', () => {
  const ask = (lease: string) => ({ lease, tokens: 0, sinceMs: t0 });
  const lose = (state: GovernorState, lease: string, atMs: number): GovernorState =>
    stateAfterRequestEnd(
      decideWhichWaitingStart(state, [ask(lease)], atMs).state,
      { lease, outcome: 'lost', told: {} },
      atMs,
    );
  const afterFive = ['a', 'b', 'c', 'd', 'e'].reduce((state, lease) => lose(state, lease, t0), newGovernor);

  test('rests after five requests in a row, and not before', () => {
    const four = ['a', 'b', 'c', 'd'].reduce((state, lease) => lose(state, lease, t0), newGovernor);
    expect(decideWhichWaitingStart(four, [ask('f')], t0)).toMatchObject({ started: ['f'] });
    expect(decideWhichWaitingStart(afterFive, [ask('f')], t0)).toMatchObject({
      started: [],
      isBroken: true,
      restsUntilMs: t0 + 5_000,
    });
    expect(describeGovernor(afterFive, t0)).toMatchObject({ circuit: 'open', restsUntilMs: t0 + 5_000 });
  });

  test('begins to count again with an answer, also one that says that it is busy', () => {
    for (const outcome of ['answered', 'busy'] as const) {
      let state = ['a', 'b', 'c', 'd'].reduce((each, lease) => lose(each, lease, t0), newGovernor);
      state = stateAfterRequestEnd(
        decideWhichWaitingStart(state, [ask('e')], t0).state,
        { lease: 'e', outcome, told: {} },
        t0,
      );
      expect(state.circuit.lost).toBe(0);
    }
  });

  test('is tried by one request after the rest, whose answer lets all others in', () => {
    const at = t0 + 5_000;
    expect(describeGovernor(afterFive, at).circuit).toBe('half-open');
    const trying = decideWhichWaitingStart(afterFive, [ask('f'), ask('g')], at);
    expect(trying).toMatchObject({ started: ['f'], isBroken: true });
    const answered = stateAfterRequestEnd(trying.state, { lease: 'f', outcome: 'answered', told: {} }, at + 100);
    expect(decideWhichWaitingStart(answered, [ask('g'), ask('h')], at + 100).started).toEqual(['g', 'h']);
  });

  test('rests twice as long after each try that finds nobody, up to 80 seconds', () => {
    let [state, at] = [afterFive, t0];
    const rests: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      rests.push(state.circuit.restsUntilMs - at);
      at = state.circuit.restsUntilMs;
      state = lose(state, `try${n}`, at);
    }
    expect(rests).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 80_000]);
  });

  test('may be tried again if the one who tried has died or broke off', () => {
    const at = t0 + 5_000;
    const trying = decideWhichWaitingStart(afterFive, [ask('f')], at).state;
    expect(decideWhichWaitingStart(trying, [ask('g')], at + 29_999).started).toEqual([]);
    expect(decideWhichWaitingStart(trying, [ask('g')], at + 30_000).started).toEqual(['g']);
    const broken = stateAfterRequestEnd(trying, { lease: 'f', outcome: 'other', told: {} }, at + 1);
    expect(decideWhichWaitingStart(broken, [ask('g')], at + 2).started).toEqual(['g']);
  });

  test('is not made to rest longer by requests that had started before', () => {
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'];
    let { state } = decideWhichWaitingStart(newGovernor, asked.map(ask), t0);
    for (const lease of asked) state = stateAfterRequestEnd(state, { lease, outcome: 'lost', told: {} }, t0 + 10);
    expect(state.circuit).toMatchObject({ strikes: 1, restsUntilMs: t0 + 5_010 });
  });
});
