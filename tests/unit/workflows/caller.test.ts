import { expect, test, vi } from 'vitest';
import { makeRetryingObjectCaller } from '#workflows/caller.ts';

interface Counter {
  add(): Promise<number>;
}

/** An object whose stubs throw what is given, one stub each, and then work. */
function objectThatThrows(...errors: readonly Error[]) {
  const stubs: { calls: number }[] = [];
  let requests = 0;
  const stub = (): Counter => {
    const error = errors[stubs.length];
    const used = { calls: 0 };
    stubs.push(used);
    return {
      add: async () => {
        used.calls += 1;
        if (error !== undefined) throw error;
        return 1;
      },
    };
  };
  const count = (): void => void (requests += 1);
  return { calls: makeRetryingObjectCaller(stub, { addToRequestCount: count }), stubs, requests: () => requests };
}

const reset = (): Error => new Error('Durable Object reset because its code was updated.');

test('every call uses its own stub', async () => {
  const { calls, stubs } = objectThatThrows();
  await calls((object) => object.add());
  await calls((object) => object.add());
  expect(stubs).toEqual([{ calls: 1 }, { calls: 1 }]);
});

test('a call that met a reset is repeated on a new stub, and every try counts as a request', async () => {
  const { calls, stubs, requests } = objectThatThrows(reset(), reset());
  expect(await calls((object) => object.add())).toBe(1);
  expect(stubs).toEqual([{ calls: 1 }, { calls: 1 }, { calls: 1 }]);
  expect(requests()).toBe(3);
});

test("an object's own error is not retried", async () => {
  const { calls, stubs } = objectThatThrows(new Error('unit u is at audit, not at pair'));
  await expect(calls((object) => object.add())).rejects.toThrow('at audit');
  expect(stubs).toHaveLength(1);
});

test('an unavailable object is given up after five tries', async () => {
  vi.useFakeTimers();
  const { calls, stubs } = objectThatThrows(...Array.from({ length: 9 }, reset));
  const called = expect(calls((object) => object.add())).rejects.toThrow('code was updated');
  await vi.runAllTimersAsync();
  await called;
  vi.useRealTimers();
  expect(stubs).toHaveLength(5);
});
