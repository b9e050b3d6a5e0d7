import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeFunctionNames } from '#core/catalog/function-names.ts';

test('plain names stay readable', () => {
  const names = makeFunctionNames(['git/status', 'time/get-now', 'a/b.c/d', 'a/é']);
  expect(Object.fromEntries(names)).toEqual({
    'git/status': 'git__status',
    'time/get-now': 'time__get-now',
    'a/b.c/d': 'a__b_c_d',
    'a/é': 'a___',
  });
});

test('colliding names are made distinct in any order', () => {
  const tools = ['a/b.c', 'a/b c', 'a/b_c', `x/${'y'.repeat(100)}1`, `x/${'y'.repeat(100)}2`];
  const names = makeFunctionNames(tools);
  expect(new Set(names.values()).size).toBe(5);
  expect([...makeFunctionNames(tools.toReversed())].toSorted()).toEqual([...names].toSorted());
});

test('every set of tools gets distinct names that endpoints accept', () => {
  const tool = fc
    .tuple(fc.constantFrom('a', 'b', 'a-b'), fc.string({ minLength: 1, maxLength: 90 }))
    .map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(tool), (tools) => {
      const names = makeFunctionNames(tools);
      expect(new Set(names.values()).size).toBe(tools.length);
      expect([...names.values()].filter((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name))).toEqual([]);
    }),
  );
});
