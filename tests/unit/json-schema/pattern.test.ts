import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '#core/values/json-schema/pattern.ts';
import { Steps } from '#core/values/json-schema/steps.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

const matches = (source: string, text: string, most = 250_000): boolean | null | undefined => {
  const steps = new Steps(most);
  return compilePattern(source, steps)?.hasMatch(text, steps);
};

const atom = fc.constantFrom(
  'a', 'b', 'ä', '😀', '.', '\\d', '\\w', '\\W', '\\s', '\\.', '\\/', '\\u0061', '\\u{1F600}', '\\uD83D\\uDE00', '\\x62', '\\n',
  '[ab]', '[^a]', '[a-c\\d]', '[\\]x]', '[]', '[^]', '\\p{L}', '\\P{Lu}', '[\\p{L}-]', '\\cA', '\\0',
); // prettier-ignore
const edge = fc.constantFrom('^', '$', '\\b', '\\B');
const times = fc.constantFrom('', '*', '+', '?', '*?', '+?', '{2}', '{0}', '{1,}', '{1,3}', '{0,2}?');
const pattern = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(atom, times).map((parts) => parts.join('')),
    edge,
    fc.array(tie('any'), { maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('any'), tie('any')).map((both) => `(?:${both.join('|')})`),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('any'), times)
      .map(([open, inner, often]) => `${open}${inner})${often}`),
    fc.tuple(fc.constantFrom('(?=', '(?!'), tie('any')).map(([open, inner]) => `${open}${inner})`),
  ),
})).any;
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'x', ' ', '1', '-', 'ä', 'Ä', '😀', '\uD83D', '\n', '.', '/', ']', '_'), {
    maxLength: 8,
  })
  .map((characters) => characters.join(''));

describe('a pattern in a schema', () => {
  it("matches like the platform's regular expressions", () => {
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        // A name of a group may stand only once.
        fc.pre((source.match(/\(\?<n>/g) ?? []).length < 2);
        // V8 also looks between the halves of a surrogate pair, where the standard has no place.
        fc.pre(!/\\B|\(\?!/.test(source) || !subject.includes('\uD83D'));
        expect(matches(source, subject, 5_000_000)).toBe(new RegExp(source, 'u').test(subject));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['\\-x{', '-x{'],
    ['^[\\w-.]+$', 'a-b.c'],
    ['a]}', 'xa]}'],
    ['\\_\\:', '_:'],
  ])('may use the older syntax %s', (source, subject) => {
    expect(() => new RegExp(source, 'u')).toThrow(SyntaxError);
    expect([matches(source, subject), matches(source, '!!!')]).toEqual([true, false]);
  });

  it.each([
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?<=a)b',
    '(?<!a)b',
    '(?i:a)',
    '(',
    '(?i)a',
    'a'.repeat(5_000),
    '(?:a{1000}){1000}',
  ])('is not compiled if it is invalid or cannot be matched in linear time: %s', (source) => {
    expect(matches(source, 'ab')).toBeUndefined();
  });

  it.each([
    ['nested repetitions', '^(a+)+$', `${'a'.repeat(40)}!`, false],
    ['overlapping alternatives', '^(a|a)*$', `${'a'.repeat(5_000)}!`, false],
    ['repetitions of what may be empty', '^(.*)*x$', 'a'.repeat(5_000), false],
    [
      'an e-mail address by zod',
      String.raw`^(?!\.)(?!.*\.\.)([\w'+\-.]*)[\w+-]@([A-Za-z\d][A-Za-z\d-]*\.)+[A-Za-z]{2,}$`,
      'a.b@c.example',
      true,
    ],
    ['a text that is too long', '^(a+)+$', 'a'.repeat(4_000_000), null],
    ['lookaheads in lookaheads', '(?=.*(?=.*(?=.*b)))', 'a'.repeat(3_000), null],
    ['repetitions of nothing', '((((){1000}){1000}){1000}){1000}', 'a', undefined],
    [
      'classes of thousands of characters',
      Array.from({ length: 400 }, (_, i) => `[\\p{L}${i}]`).join(''),
      'a',
      undefined,
    ],
    ['brackets a thousand deep', `${'('.repeat(1_000)}a${')'.repeat(1_000)}`, 'a', undefined],
  ])('takes bounded time for %s', (_what, source, subject, found) => {
    expect(cpuMsOf(() => expect(matches(source, subject)).toBe(found))).toBeLessThan(400);
  });
});
