import { expect, test } from 'vitest';
import { canonicalJson } from '#core/values/canonical.ts';

test('the order of keys does not change the canonical form', () => {
  expect(canonicalJson({ b: [1, 'ü'], a: null })).toBe(canonicalJson({ a: null, b: [1, 'ü'] }));
  expect(canonicalJson({ b: 1e21, a: 0.1 })).toBe('{"a":0.1,"b":1e+21}');
});

test('a lone surrogate becomes a replacement character', () => {
  const text = canonicalJson({ 'k\ud800': ['a\udc00', '😀', String.raw`\ud83d`] });
  expect(text).toBe(String.raw`{"k�":["a�","😀","\\ud83d"]}`);
  expect(text.isWellFormed()).toBe(true);
});

test('a value that JSON cannot express is refused', () => {
  expect(() => canonicalJson(undefined)).toThrow(TypeError);
});
