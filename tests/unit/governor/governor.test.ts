import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideWhichWaitingStart,
  allowedAtFirst,
  stateAfterRequestEnd,
  stateAfterLeaseExtension,
  isBusyForGood,
  isWorthStoringAtOnce,
  leaseMs,
  newGovernor,
  type EndedRequest,
  type GovernorState,
  type WaitingRequest,
} from '#core/models/governor/governor.ts';
import type { ToldLimits } from '#core/models/governor/rate-limits.ts';

const t0 = 1_800_000_000_000;
const request = (lease: string, sinceMs = t0, tokens = 100): WaitingRequest => ({
  lease,
  sinceMs,
  tokens,
});
const several = (count: number, sinceMs = t0): WaitingRequest[] =>
  Array.from({ length: count }, (_, n) => request(`r${n}`, sinceMs + n / 1_000));
const ended = (lease: string, outcome: EndedRequest['outcome'], told: ToldLimits = {}): EndedRequest => ({
  lease,
  outcome,
  told,
});
const started = (state: GovernorState, leases: readonly string[], at = t0): GovernorState =>
  decideWhichWaitingStart(
    state,
    leases.map((lease) => request(lease, at)),
    at,
  ).state;
const underWay = ({ leases }: GovernorState): number => Object.keys(leases).length;

describe('what is stored at once', () => {
  const before = started(newGovernor, ['a']);

  test('is that an endpoint was busy, or could not be found', () => {
    for (const outcome of ['busy', 'lost'] as const)
      expect(isWorthStoringAtOnce(before, stateAfterRequestEnd(before, ended('a', outcome), t0 + 1))).toBe(true);
  });

  test('is neither the start of a request nor its answer', () => {
    expect(isWorthStoringAtOnce(newGovernor, before)).toBe(false);
    expect(isWorthStoringAtOnce(before, stateAfterRequestEnd(before, ended('a', 'answered'), t0 + 1))).toBe(false);
  });
});

describe('an endpoint of which nothing is known', () => {
  test('gets as many requests as are allowed at first, in order of arrival', () => {
    const { state, started: first, nextMs } = decideWhichWaitingStart(newGovernor, several(80).toReversed(), t0);
    expect(first).toEqual(several(allowedAtFirst).map(({ lease }) => lease));
    expect(underWay(state)).toBe(allowedAtFirst);
    expect(nextMs).toBe(t0 + leaseMs);
  });

  test('gets one more with each answer as long as they are needed', () => {
    let { state } = decideWhichWaitingStart(newGovernor, several(80), t0);
    for (let n = 0; n < 10; n += 1) state = stateAfterRequestEnd(state, ended(`r${n}`, 'answered'), t0 + 1_000);
    expect(state.allowed).toBe(allowedAtFirst + 10);
    const few = stateAfterRequestEnd(started(newGovernor, ['a']), ended('a', 'answered'), t0 + 1);
    expect(few.allowed).toBe(allowedAtFirst);
  });

  test('starts a request once, however often it is asked for', () => {
    const first = decideWhichWaitingStart(newGovernor, [request('a')], t0);
    const again = decideWhichWaitingStart(first.state, [request('a')], t0 + 5);
    expect(again.started).toEqual(['a']);
    expect(again.state.leases).toEqual(first.state.leases);
  });
});

describe('a refusal for being too busy', () => {
  const crowd = started(
    newGovernor,
    several(10).map(({ lease }) => lease),
  );

  test('pauses everybody for as long as the endpoint asks, and halves what may be under way once', () => {
    let state = stateAfterRequestEnd(crowd, ended('r0', 'busy', { pauseMs: 30_000 }), t0 + 100);
    state = stateAfterRequestEnd(state, ended('r1', 'busy', { pauseMs: 10_000 }), t0 + 110);
    expect(state).toMatchObject({ allowed: 5, busy: 1, pausedUntilMs: t0 + 30_100 });
    for (let n = 2; n < 10; n += 1) state = stateAfterRequestEnd(state, ended(`r${n}`, 'answered'), t0 + 150);
    const waiting = decideWhichWaitingStart(state, [request('later', t0 + 200)], t0 + 200);
    expect(waiting).toMatchObject({ started: [], nextMs: t0 + 30_100, restsUntilMs: t0 + 30_100 });
  });

  test('pauses for 1 second, 2, 4 and at last a minute if the endpoint does not say how long', () => {
    let state = newGovernor;
    const pauses = [];
    let now = t0;
    for (let n = 0; n < 9; n += 1) {
      state = stateAfterRequestEnd(started(state, [`a${n}`], now), ended(`a${n}`, 'busy'), now + 10);
      pauses.push(state.pausedUntilMs - now - 10);
      now = state.pausedUntilMs + 10_000;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((s) => s * 1_000));
  });

  test('asks an endpoint ever less often that wants to be asked at once', () => {
    let state = newGovernor;
    let now = t0;
    for (let n = 0; n < 14; n += 1) {
      state = stateAfterRequestEnd(started(state, [`a${n}`], now), ended(`a${n}`, 'busy', { pauseMs: 0 }), now + 10);
      now = state.pausedUntilMs + 10_000;
    }
    expect(state.pausedUntilMs).toBeGreaterThan(now - 10_000 - 1);
    expect(state.busy).toBe(14);
  });

  test('is followed by starts with gaps between them, which answers close', () => {
    let state = stateAfterRequestEnd(crowd, ended('r0', 'busy', { pauseMs: 1_000 }), t0 + 100);
    for (let n = 1; n < 10; n += 1)
      state = stateAfterRequestEnd(state, ended(`r${n}`, 'busy', { pauseMs: 1_000 }), t0 + 100);
    const times: number[] = [];
    let waiting = several(5, t0 + 200);
    for (let now = t0 + 1_100; waiting.length > 0;) {
      const admitted = decideWhichWaitingStart(state, waiting, now);
      expect(admitted.started.length).toBeLessThanOrEqual(1);
      if (admitted.started.length > 0) times.push(now);
      waiting = waiting.filter(({ lease }) => !admitted.started.includes(lease));
      ({ state } = admitted);
      now = admitted.nextMs ?? now;
    }
    expect(times.map((time) => time - t0)).toEqual([1_100, 1_350, 1_600, 1_850, 2_100]);
    for (const lease of ['r0', 'r1', 'r2', 'r3'])
      state = stateAfterRequestEnd(state, ended(lease, 'answered'), t0 + 3_000);
    expect(state).toMatchObject({ gapMs: 0, busy: 0, busySinceMs: null });
  });

  test('counts once if it is reported twice', () => {
    const once = stateAfterRequestEnd(crowd, ended('r0', 'busy', { pauseMs: 5_000 }), t0 + 100);
    const twice = stateAfterRequestEnd(once, ended('r0', 'busy', { pauseMs: 5_000 }), t0 + 100);
    expect(twice).toEqual(once);
  });

  test('is a fault once there was no answer for more than a day', () => {
    const busy = stateAfterRequestEnd(crowd, ended('r0', 'busy'), t0);
    expect(isBusyForGood(busy, t0 + 24 * 3_600_000)).toBe(false);
    expect(isBusyForGood(busy, t0 + 26 * 3_600_000)).toBe(true);
    const answered = stateAfterRequestEnd(started(busy, ['x'], t0 + 60_000), ended('x', 'answered'), t0 + 61_000);
    expect(isBusyForGood(answered, t0 + 26 * 3_600_000)).toBe(false);
  });
});

describe('a told limit', () => {
  const tell = (told: ToldLimits, inFlight: readonly string[] = []) =>
    stateAfterRequestEnd(started(started(newGovernor, ['a']), inFlight, t0 + 1), ended('a', 'answered', told), t0 + 2);

  test('of requests keeps the next one back until there is room', () => {
    const state = tell({ requests: { limit: 60, remaining: 0, resetMs: 60_000 } });
    expect(decideWhichWaitingStart(state, [request('b', t0 + 3)], t0 + 2).nextMs).toBe(t0 + 1_002);
    expect(decideWhichWaitingStart(state, [request('b', t0 + 3)], t0 + 1_002).started).toEqual(['b']);
  });

  test('of tokens counts what was started since', () => {
    const state = tell({ tokens: { limit: 1_000, remaining: 250, resetMs: 75_000 } }, ['x', 'y']);
    expect(state.tokens).toMatchObject({ remaining: 50, perMs: 0.01 });
    expect(decideWhichWaitingStart(state, [request('b', t0 + 3)], t0 + 2).nextMs).toBe(t0 + 5_002);
  });

  test('does not keep a request back for ever that is larger than the limit', () => {
    const state = tell({ tokens: { limit: 1_000, remaining: 500, resetMs: 5_000 } });
    expect(decideWhichWaitingStart(state, [request('b', t0 + 3, 1e9)], t0 + 2).nextMs).toBe(t0 + 5_002);
    expect(decideWhichWaitingStart(state, [request('b', t0 + 3, 1e9)], t0 + 5_002).started).toEqual(['b']);
  });

  test('of nothing is no limit', () => {
    expect(tell({ requests: { limit: 0, remaining: 0, resetMs: 1_000 } }).requests).toBeNull();
  });
});

test('a lease whose holder died ends by itself', () => {
  const full = { ...newGovernor, allowed: 1 };
  const { state } = decideWhichWaitingStart(full, [request('dead')], t0);
  expect(decideWhichWaitingStart(state, [request('b')], t0 + leaseMs - 1).started).toEqual([]);
  expect(decideWhichWaitingStart(state, [request('b')], t0 + leaseMs).started).toEqual(['b']);
  const extended = stateAfterLeaseExtension(
    stateAfterLeaseExtension(state, 'dead', t0 + 10_000),
    'unknown',
    t0 + 10_000,
  );
  expect(decideWhichWaitingStart(extended, [request('b')], t0 + leaseMs).started).toEqual([]);
  expect(decideWhichWaitingStart(extended, [request('b')], t0 + leaseMs + 10_000).started).toEqual(['b']);
});

const toldLimit = fc.record({
  limit: fc.option(fc.integer({ min: 0, max: 10_000 }), { nil: undefined }),
  remaining: fc.integer({ min: 0, max: 10_000 }),
  resetMs: fc.integer({ min: 0, max: 100_000 }),
});
const toldLimits = fc.record(
  { requests: toldLimit, tokens: toldLimit, pauseMs: fc.integer({ min: 0, max: 60_000 }) },
  { requiredKeys: [] },
);
const happening = fc.record({
  afterMs: fc.integer({ min: 0, max: 5_000 }),
  arrivals: fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 6 }),
  ends: fc.array(fc.tuple(fc.nat(), fc.constantFrom('answered', 'busy', 'other', 'died'), toldLimits), {
    maxLength: 6,
  }),
});

test('there are never more requests under way than allowed when one starts, nobody overtakes, and nobody waits for ever', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
      let [state, now, made]: [GovernorState, number, number] = [newGovernor, t0, 0];
      let waiting: WaitingRequest[] = [];
      const admit = (): number | null => {
        const admitted = decideWhichWaitingStart(state, waiting, now);
        const order = waiting.map(({ lease }) => lease);
        expect(admitted.started).toEqual(order.slice(0, admitted.started.length));
        if (admitted.started.length > 0)
          expect(underWay(admitted.state)).toBeLessThanOrEqual(Math.floor(state.allowed));
        waiting = waiting.slice(admitted.started.length);
        ({ state } = admitted);
        expect(admitted.nextMs === null).toBe(waiting.length === 0);
        if (admitted.nextMs !== null) expect(admitted.nextMs).toBeGreaterThan(now);
        return admitted.nextMs;
      };
      for (const { afterMs, arrivals, ends } of happenings) {
        now += afterMs;
        waiting.push(...arrivals.map((tokens) => request(`q${(made += 1)}`, now + made / 1_000, tokens)));
        admit();
        for (const [place, outcome, told] of ends) {
          const leases = Object.keys(state.leases);
          const lease = leases[place % Math.max(1, leases.length)];
          if (lease === undefined || outcome === 'died') continue;
          state = stateAfterRequestEnd(state, ended(lease, outcome, told), now);
          expect(state.allowed).toBeGreaterThanOrEqual(1);
        }
      }
      // From now on nobody reports: leases end, limits refill.
      for (let turns = 0; waiting.length > 0; turns += 1) {
        expect(turns).toBeLessThan(1_000);
        now = admit() ?? now;
      }
    }),
    { numRuns: 300 },
  );
});

test('after a pause the requests of a crowd do not start together', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 200 }), fc.integer({ min: 0, max: 600_000 }), (count, pauseMs) => {
      let state = started(newGovernor, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
      state = stateAfterRequestEnd(state, ended('a', 'busy', { pauseMs }), t0 + 50);
      for (const lease of ['b', 'c', 'd', 'e', 'f', 'g', 'h'])
        state = stateAfterRequestEnd(state, ended(lease, 'other'), t0 + 60);
      const againMs = Math.max(state.pausedUntilMs, t0 + 250);
      const first = decideWhichWaitingStart(state, several(count), againMs);
      expect(first.started).toHaveLength(1);
      expect(first.nextMs).toBe(againMs + 250);
    }),
  );
});

test('an endpoint with a fixed number of places is found, and used', () => {
  const [places, seconds] = [10, 300];
  let [state, made, refused, answered]: [GovernorState, number, number, number] = [newGovernor, 0, 0, 0];
  let running: { lease: string; endsMs: number; isRefused: boolean }[] = [];
  for (let now = t0; now < t0 + seconds * 1_000; now += 50) {
    for (const { lease, isRefused } of running.filter(({ endsMs }) => endsMs <= now)) {
      state = stateAfterRequestEnd(
        state,
        ended(lease, isRefused ? 'busy' : 'answered', isRefused ? { pauseMs: 500 } : {}),
        now,
      );
    }
    running = running.filter(({ endsMs }) => endsMs > now);
    const waiting = Array.from({ length: 50 }, (_, n) => request(`q${made + n}`, now + n / 1_000));
    const admitted = decideWhichWaitingStart(state, waiting, now);
    ({ state } = admitted);
    made += admitted.started.length;
    for (const lease of admitted.started) {
      const isRefused = running.filter((each) => !each.isRefused).length >= places;
      if (isRefused) refused += 1;
      else answered += 1;
      running.push({ lease, isRefused, endsMs: now + (isRefused ? 100 : 2_000) });
    }
  }
  const most = (places / 2) * seconds;
  expect(answered / most).toBeGreaterThan(0.6);
  expect(refused / answered).toBeLessThan(0.1);
});
