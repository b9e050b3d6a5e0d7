import { expect, test } from 'vitest';
import { findCallRefusal } from '#agents/refused-call.ts';
import { parseArgumentsOrNull } from '#agents/steps.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';

const mounted = new Set(['fruit/apple']);

test.each<[what: string, tool: string, args: Record<string, unknown> | null, text: RegExp]>([
  ['without arguments that are an object', 'fruit/apple', null, /arguments that are an object/],
  ['of a tool that is not mounted', 'fruit/pear', {}, /^Unknown tool: fruit\/pear$/],
  ['with a number that JSON cannot hold', 'fruit/apple', { n: [{ m: JSON.parse('1e400') }] }, /number .* too large/],
  ['nested too deep', 'fruit/apple', JSON.parse(`{"a":${'['.repeat(4_000)}${']'.repeat(4_000)}}`), /100 levels/],
  ['with too many characters', 'fruit/apple', { a: 'x'.repeat(32_000) }, /more than 32000 characters/],
])('a call %s is refused', (_what, tool, args, text) => {
  expect(findCallRefusal(tool, args, mounted)?.text).toMatch(text);
});

test('a call of a mounted tool with arguments that can be sent is not refused', () => {
  expect(findCallRefusal('fruit/apple', { n: 1e300, list: [1, { a: null }] }, mounted)).toBeNull();
});

test("a model's arguments with a number that JSON cannot hold are no arguments", () => {
  expect(parseArgumentsOrNull('{"n": 1e400}')).toBeNull();
  expect(parseArgumentsOrNull('{"n": -1e308}')).toEqual({ n: -1e308 });
  expect(parseJsonWithinLimits('[1e999]')).toEqual({ ok: false, problem: 'a number in it is too large' });
});
