import { join } from 'node:path';
import { serialize } from 'node:v8';
import { unstable_readConfig } from 'wrangler';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageBytes } from '../support/platform/message-bytes.ts';
import { Count, rules } from '../support/platform/rules.ts';

test('the deployment allows at least as many subrequests as the simulated platform', () => {
  const { limits } = unstable_readConfig({ config: join(import.meta.dirname, '../../wrangler.toml') });
  expect(limits?.subrequests ?? 10_000).toBeGreaterThanOrEqual(rules.subrequests);
});

describe('the counts of an invocation', () => {
  test('add up sums and keep the largest of the other figures', () => {
    const count = new Count(rules);
    for (const amount of [3, 5, 2]) {
      count.take('subrequests', amount);
      count.take('waitingConnections', amount);
    }
    expect(count.figures).toEqual({ subrequests: 10, waitingConnections: 5 });
  });

  test('say which rule an event breaks, from the first event on', () => {
    const count = new Count({ ...rules, subrequests: 2 });
    const said = [1, 1, 1].map((amount) => count.take('subrequests', amount));
    expect(said).toEqual([null, null, 'subrequests: 3, at most 2 allowed']);
    expect(count.take('waitingConnections', 7)).toBe('waitingConnections: 7, at most 6 allowed');
    expect(count.take('waitingConnections', 6)).toBeNull();
  });
});

describe('the length of a message', () => {
  test.each([
    ['a text', 'x'.repeat(10_000)],
    ['a text of two bytes a character', '漢'.repeat(10_000)],
    ['bytes', new Uint8Array(10_000)],
    [
      'units',
      Array.from({ length: 500 }, (_, n) => ({ id: `r${n}`, request: 'Do it with "alpha".', calls: [n, n + 1] })),
    ],
  ])('equals its serialized length within a tenth: %s', (_, message) => {
    const serialized = serialize(message).byteLength;
    expect(Math.abs(messageBytes(message) - serialized)).toBeLessThan(serialized / 10);
  });

  test('is at least four fifths of its serialized length, but for 16 bytes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (message) => {
        expect(messageBytes(message)).toBeGreaterThan(0.8 * serialize(message).byteLength - 16);
      }),
    );
  });
});
