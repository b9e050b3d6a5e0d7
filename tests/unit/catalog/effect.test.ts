import { describe, expect, test } from 'vitest';
import {
  countEffects,
  deriveEffect,
  effectOf,
  isAllowed,
  lowerEffectLimit,
  addEffectsToTools,
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
    expect(deriveEffect(annotations)).toBe(effect);
  });

  test("is the owner's word where there is one, under the tool's own name", () => {
    const tools = [
      { name: 'a/list', server: 'a', annotations: { readOnlyHint: true } },
      { name: 'a/x/y', server: 'a' },
    ];
    const corrected = addEffectsToTools(tools, { list: 'destroys', 'x/y': 'reads' });
    expect(corrected.map(({ effect }) => effect)).toEqual(['destroys', 'reads']);
    expect(countEffects(corrected)).toEqual({ reads: 1, writes: 0, destroys: 1, unknown: 0 });
    expect(effectOf({ annotations: { readOnlyHint: true } })).toBe('reads');
    expect(addEffectsToTools([{ name: 'a/constructor', server: 'a' }], {})[0]?.effect).toBe('unknown');
  });
});

test.each([
  ['reads', ['reads']],
  ['writes', ['reads', 'writes', 'unknown']],
  ['destroys', ['reads', 'writes', 'destroys', 'unknown']],
] as const)('a limit of %s allows these effects alone: %j', (limit, allowed) => {
  const effects = ['reads', 'writes', 'destroys', 'unknown'] as const;
  expect(effects.filter((effect) => isAllowed(effect, limit)).toSorted()).toEqual(allowed.toSorted());
});

test('the lower of two limits counts', () => {
  expect(lowerEffectLimit('reads', 'destroys')).toBe('reads');
  expect(lowerEffectLimit('destroys', 'writes')).toBe('writes');
});
