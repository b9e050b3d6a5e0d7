import { describe, expect, test } from 'vitest';
import {
  countToolsByEffect,
  deriveEffectFromAnnotations,
  effectOfTool,
  isEffectWithinLimit,
  lowerOfTwoEffectLimits,
  toolsWithEffects,
} from '#core/catalog/effect.ts';

describe('the effect of a tool', () => {
  test.each([
    [undefined, 'unknown'],
    [{}, 'unknown'],
    [{ readOnlyHint: true }, 'reads'],
    [{ readOnlyHint: true, destructiveHint: false }, 'reads'],
    [{ readOnlyHint: false }, 'destroys'],
    [{ readOnlyHint: false, destructiveHint: false }, 'writes'],
    [{ readOnlyHint: false, destructiveHint: true }, 'destroys'],
    [{ destructiveHint: true }, 'destroys'],
    [{ destructiveHint: false }, 'writes'],
    [{ readOnlyHint: true, destructiveHint: true }, 'destroys'],
    [{ readOnlyHint: 'true' }, 'unknown'],
    [{ idempotentHint: true }, 'unknown'],
  ] as const)('is derived from the annotations %j: %s', (annotations, effect) => {
    expect(deriveEffectFromAnnotations(annotations)).toBe(effect);
  });

  test("is the owner's word where there is one, under the tool's own name", () => {
    const tools = [
      { name: 'a/list', server: 'a', annotations: { readOnlyHint: true } },
      { name: 'a/x/y', server: 'a' },
    ];
    const corrected = toolsWithEffects(tools, { list: 'destroys', 'x/y': 'reads' });
    expect(corrected.map(({ effect }) => effect)).toEqual(['destroys', 'reads']);
    expect(countToolsByEffect(corrected)).toEqual({ reads: 1, writes: 0, destroys: 1, unknown: 0 });
    expect(effectOfTool({ name: 'a/list', annotations: { readOnlyHint: true } })).toBe('reads');
    expect(toolsWithEffects([{ name: 'a/constructor', server: 'a' }], {})[0]?.effect).toBe('unknown');
  });
});

test.each([
  ['reads', ['reads']],
  ['writes', ['reads', 'writes', 'unknown']],
  ['destroys', ['reads', 'writes', 'destroys', 'unknown']],
] as const)('a limit of %s allows these effects alone: %j', (limit, allowed) => {
  const effects = ['reads', 'writes', 'destroys', 'unknown'] as const;
  expect(effects.filter((effect) => isEffectWithinLimit(effect, limit)).toSorted()).toEqual(allowed.toSorted());
});

test('the lower of two limits counts', () => {
  expect(lowerOfTwoEffectLimits('reads', 'destroys')).toBe('reads');
  expect(lowerOfTwoEffectLimits('destroys', 'writes')).toBe('writes');
});
