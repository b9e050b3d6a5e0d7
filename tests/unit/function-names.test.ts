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

test('names begin with a letter or an underscore, and a name that is already taken is not taken again', () => {
  const names = makeFunctionNames(['3d/draw', '-/x', 'a/b.c', 'a/b c', 'a/b_c', 'a/b-c']);
  expect(names.get('3d/draw')).toBe('_3d__draw');
  expect(names.get('a/b-c')).toBe('a__b-c');
  // A tool may be called what another one's hash makes of it.
  const hashed = names.get('a/b.c')?.slice('a__'.length) ?? '';
  const again = makeFunctionNames(['a/b.c', 'a/b c', `a/${hashed}`]);
  expect(again.get(`a/${hashed}`)).toBe(names.get('a/b.c'));
  expect(new Set(again.values()).size).toBe(3);
});

test('colliding names are made distinct in any order', () => {
  const tools = ['a/b.c', 'a/b c', 'a/b_c', `x/${'y'.repeat(100)}1`, `x/${'y'.repeat(100)}2`];
  const names = makeFunctionNames(tools);
  expect(new Set(names.values()).size).toBe(5);
  expect([...makeFunctionNames(tools.toReversed())].toSorted()).toEqual([...names].toSorted());
});

test('every set of tools gets distinct names that endpoints accept', () => {
  const tool = fc
    .tuple(fc.constantFrom('a', 'b', 'a-b', '3d'), fc.string({ minLength: 1, maxLength: 90 }))
    .map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(tool), (tools) => {
      const names = makeFunctionNames(tools);
      expect(new Set(names.values()).size).toBe(tools.length);
      expect([...names.values()].filter((name) => !/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/.test(name))).toEqual([]);
    }),
  );
});
