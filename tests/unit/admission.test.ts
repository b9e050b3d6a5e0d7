import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { Admission, waitingRequests } from '#adapters/network/admission.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A network whose answers take so many milliseconds, and what waited for headers at the same time at most. */
function slowNetwork(answerMs: number, answer: () => Response = () => new Response('fine')) {
  const urls: string[] = [];
  const seen = { waiting: 0, mostWaiting: 0, urls };
  const fetch: FetchLike = async (url, init) => {
    seen.urls.push(String(url));
    seen.waiting += 1;
    seen.mostWaiting = Math.max(seen.mostWaiting, seen.waiting);
    try {
      await new Promise<void>((resolve, reject) => {
        setTimeout(resolve, answerMs);
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
    } finally {
      seen.waiting -= 1;
    }
    return answer();
  };
  return { fetch, seen };
}
const address = (place: number): string => `https://a.com/${place}`;

describe('an admission', () => {
  test('admits six operations at once, in order of arrival', async () => {
    const user = fc.record({ holdMs: fc.nat(50), comesAfterMs: fc.nat(20), givesUpAfterMs: fc.option(fc.nat(30)) });
    await fc.assert(
      fc.asyncProperty(fc.array(user, { maxLength: 40 }), async (users) => {
        const admission = new Admission();
        const came: number[] = [];
        const admitted: number[] = [];
        const gone = new Set<number>();
        let inside = 0;
        let most = 0;
        const use = async ({ holdMs, comesAfterMs, givesUpAfterMs }: (typeof users)[number], id: number) => {
          await sleep(comesAfterMs);
          came.push(id);
          const patience = new AbortController();
          if (givesUpAfterMs !== null) setTimeout(() => patience.abort(new Error('gave up')), givesUpAfterMs);
          let place;
          try {
            place = await admission.waitForPlace(patience.signal);
          } catch (error) {
            expect(error).toEqual(new Error('gave up'));
            gone.add(id);
            return;
          }
          admitted.push(id);
          inside += 1;
          most = Math.max(most, inside);
          await sleep(holdMs);
          inside -= 1;
          place.leave();
          place.leave();
        };
        const all = Promise.all(users.map(use));
        await vi.runAllTimersAsync();
        await all;
        expect(most).toBeLessThanOrEqual(waitingRequests);
        expect(admitted).toEqual(came.filter((id) => !gone.has(id)));
        // All places are free again.
        const places = await Promise.all(Array.from({ length: waitingRequests }, () => admission.waitForPlace()));
        expect(places.map(({ queuedMs }) => queuedMs)).toEqual(places.map(() => 0));
      }),
      { numRuns: 100 },
    );
  });

  test('reports how long an operation waited for its place', async () => {
    const admission = new Admission();
    const first = Array.from({ length: waitingRequests }, () => admission.runHoldingPlace(() => sleep(1_000)));
    const late = sleep(200).then(() => admission.runHoldingPlace(async ({ queuedMs }) => queuedMs));
    await vi.runAllTimersAsync();
    await Promise.all(first);
    expect(await late).toBe(800);
  });

  test('frees the place of an operation that fails', async () => {
    const admission = new Admission();
    for (let i = 0; i < 20; i += 1) {
      await expect(admission.runHoldingPlace(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    }
  });

  test('does not admit an operation that was aborted before', async () => {
    const admission = new Admission();
    await expect(admission.waitForPlace(AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  });
});

describe('guarded requests', () => {
  test('wait for headers six at a time and count every hop of a redirect', async () => {
    const admission = new Admission();
    const { fetch, seen } = slowNetwork(100);
    const hop: FetchLike = async (url, init) => {
      const answer = await fetch(url, init);
      return String(url).endsWith('/0')
        ? new Response(null, { status: 307, headers: { location: address(99) } })
        : answer;
    };
    const guarded = makeGuardedFetch({ admission, allowLocal: false, maxBytes: 100, fetch: hop });
    const all = Promise.all(Array.from({ length: 20 }, (_, place) => guarded(address(place))));
    await vi.runAllTimersAsync();
    await all;
    expect(seen.mostWaiting).toBe(waitingRequests);
    expect(seen.urls.filter((url) => url !== address(99))).toEqual(Array.from({ length: 20 }, (_, i) => address(i)));
    expect(admission.requestCount).toBe(21);
    admission.addToRequestCount(4);
    expect(admission.requestCount).toBe(25);
  });

  test('start their time limit on admission', async () => {
    const admission = new Admission();
    const { fetch } = slowNetwork(900);
    const guarded = makeGuardedFetch({ admission, allowLocal: false, maxBytes: 100, timeoutMs: 1_000, fetch });
    const all = Promise.all(Array.from({ length: 30 }, (_, place) => guarded(address(place))));
    await vi.runAllTimersAsync();
    expect((await all).map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
  });

  test('free their places when headers arrive, on time-out and on abort', async () => {
    const admission = new Admission();
    const events = () =>
      new Response(new ReadableStream<Uint8Array>({}), { headers: { 'content-type': 'text/event-stream' } });
    const opened = slowNetwork(10, events);
    const silent = slowNetwork(1e9);
    const options = { admission, allowLocal: false, maxBytes: 100, timeoutMs: 1_000 };
    const streams = makeGuardedFetch({ ...options, fetch: opened.fetch });
    const hanging = makeGuardedFetch({ ...options, fetch: silent.fetch });
    const over = new AbortController();
    const ends = [
      ...Array.from({ length: 6 }, () => streams(address(1)).then(({ status }) => status)),
      ...Array.from({ length: 6 }, () => hanging(address(2)).catch((error: unknown) => String(error))),
      ...Array.from({ length: 12 }, () => hanging(address(3), { signal: over.signal }).catch(() => 'aborted')),
      streams(address(4)).then(({ status }) => status),
    ];
    await vi.advanceTimersByTimeAsync(1_500);
    // Six of the twelve are under way, six still wait for a place: none of these is ever sent.
    over.abort();
    await vi.advanceTimersByTimeAsync(20);
    const results = await Promise.all(ends);
    expect(results.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(results.slice(6, 12)).toEqual(
      Array.from({ length: 6 }, () => 'FetchGuardError: no response within 1000 ms'),
    );
    expect(results.slice(12, 24)).toEqual(Array.from({ length: 12 }, () => 'aborted'));
    expect(results.at(-1)).toBe(200);
    expect(silent.seen.urls.filter((url) => url === address(3))).toHaveLength(6);
  });

  test('take no place of their own within an operation that has one', async () => {
    const admission = new Admission();
    const { fetch, seen } = slowNetwork(10);
    const guarded = makeGuardedFetch({ admission, allowLocal: false, maxBytes: 100, fetch });
    const operations = Array.from({ length: 30 }, (_, place) =>
      admission.runHoldingPlace(async () => {
        await guarded(address(place), { hasPlace: true });
        await guarded(address(place), { hasPlace: true });
      }),
    );
    await vi.runAllTimersAsync();
    await Promise.all(operations);
    expect(seen.mostWaiting).toBe(waitingRequests);
    expect(admission.requestCount).toBe(60);
  });
});
