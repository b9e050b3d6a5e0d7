import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isTooDeep, maxJsonDepth } from '#core/values/json-depth.ts';
import { parseLineWithSchema } from '#core/values/json-line.ts';

const nested = (levels: number, [open, close]: readonly [string, string]): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;
const brackets = [
  ['lists', ['[', ']']],
  ['objects', ['{"a":', '}']],
] as const;

describe('the depth limit of JSON', () => {
  it.each(brackets)('allows 100 levels and no more in %s', (_what, pair) => {
    for (const [levels, tooDeep] of [
      [maxJsonDepth, false],
      [maxJsonDepth + 1, true],
      [1_000_000, true],
    ] as const)
      expect(isTooDeep(JSON.parse(nested(levels, pair)))).toBe(tooDeep);
  });

  it('does not limit the width', () => {
    expect(isTooDeep(Array.from({ length: 200_000 }, () => ({ a: [[]] })))).toBe(false);
    expect([null, 'a', 1].map((each) => isTooDeep(each))).toEqual([false, false, false]);
  });

  it.each(brackets)('refuses a deeper line of an upload with a reason, in %s', (_what, pair) => {
    expect(parseLineWithSchema(z.unknown(), nested(100_000, pair))).toEqual({
      ok: false,
      problem: 'nested deeper than 100 levels',
    });
  });
});
