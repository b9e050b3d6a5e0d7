import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  expiryTimeOfCount,
  countRequestsBetweenCounts,
  admitAndCountRequest,
  windowMs,
  type RequestCount,
} from '#core/access/request-allowance.ts';

/** What becomes of requests at these times. */
function passed(limit: number, times: readonly number[]): boolean[] {
  let count: RequestCount | null = null;
  return times.map((now) => {
    const taken = admitAndCountRequest(count, limit, now);
    count = taken.count;
    return taken.allowance.allowed;
  });
}

const minute = 1_000 * windowMs;

describe('the window of requests', () => {
  test('admits requests up to the limit and reports what is left', () => {
    const first = admitAndCountRequest(null, 3, minute + 18_000);
    expect(first.allowance).toEqual({ allowed: true, limit: 3, remaining: 2, resetMs: 42_000 });
    const second = admitAndCountRequest(first.count, 3, minute + 18_001);
    const third = admitAndCountRequest(second.count, 3, minute + 18_002);
    expect(third.allowance).toMatchObject({ allowed: true, remaining: 0 });
    const fourth = admitAndCountRequest(third.count, 3, minute + 18_003);
    expect(fourth.allowance).toEqual({ allowed: false, limit: 3, remaining: 0, resetMs: 41_997 });
    expect(fourth.count).toEqual(third.count);
  });

  test('includes the share of the previous minute that the last 60 seconds still cover', () => {
    const before: RequestCount = { minute: 999, present: 100, before: 0 };
    const left = (passedMs: number) => admitAndCountRequest(before, 100, minute + passedMs).allowance;
    expect(left(0)).toMatchObject({ allowed: false });
    expect(left(15_000)).toMatchObject({ allowed: true, remaining: 24 });
    expect(left(30_000)).toMatchObject({ allowed: true, remaining: 49 });
    expect(left(59_999)).toMatchObject({ allowed: true, remaining: 99 });
  });

  test('forgets after two minutes, and frees nothing if the clock goes back', () => {
    const full: RequestCount = { minute: 998, present: 5, before: 5 };
    expect(admitAndCountRequest(full, 5, minute).allowance).toMatchObject({ allowed: true, remaining: 4 });
    expect(admitAndCountRequest({ minute: 1_001, present: 5, before: 0 }, 5, minute).allowance.allowed).toBe(false);
  });

  test('lacks requests that came after an earlier count, in its own minute and the next ones', () => {
    const count: RequestCount = { minute: 1_000, present: 7, before: 20 };
    expect(countRequestsBetweenCounts(null, count)).toBe(27);
    expect(countRequestsBetweenCounts({ minute: 998, present: 50, before: 50 }, count)).toBe(27);
    expect(countRequestsBetweenCounts({ minute: 999, present: 16, before: 50 }, count)).toBe(11);
    expect(countRequestsBetweenCounts({ minute: 1_000, present: 4, before: 20 }, count)).toBe(3);
    expect(countRequestsBetweenCounts(count, count)).toBe(0);
  });

  test('needs a count until the following minute is over', () => {
    const full: RequestCount = { minute: 1_000, present: 120_000, before: 0 };
    const end = expiryTimeOfCount(full);
    expect(admitAndCountRequest(full, 1, end - 1).allowance.allowed).toBe(false);
    expect(admitAndCountRequest(full, 1, end)).toEqual(admitAndCountRequest(null, 1, end));
  });

  test('admits a client that waits for the reported time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6_000 }), fc.integer({ min: 0, max: windowMs - 1 }), (limit, passedMs) => {
        const now = minute + passedMs;
        const full: RequestCount = { minute: 1_000, present: limit, before: limit };
        const { count, allowance } = admitAndCountRequest(full, limit, now);
        expect(allowance.allowed).toBe(false);
        expect(admitAndCountRequest(count, limit, now + allowance.resetMs + 1).allowance.allowed).toBe(true);
      }),
    );
  });

  test('never admits twice the limit in 60 seconds, and always the limit if nothing came before', () => {
    const limit = 20;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 * windowMs }), { maxLength: 300 }), (offsets) => {
        const times = offsets.map((offset) => minute + offset).toSorted((a, b) => a - b);
        const taken = times.filter((_, index) => passed(limit, times)[index]);
        for (const [place, from] of taken.entries())
          expect(taken.slice(place).filter((at) => at < from + windowMs).length).toBeLessThan(2 * limit);
        expect(taken.length).toBeGreaterThanOrEqual(Math.min(limit, times.length));
      }),
      { numRuns: 30 },
    );
  });
});
