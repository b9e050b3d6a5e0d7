import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern, type Span } from '#core/values/json-schema/pattern.ts';
import { Steps } from '#core/values/json-schema/steps.ts';

const find = (source: string, text: string): readonly Span[] | null | undefined => {
  const steps = new Steps(5_000_000);
  return compilePattern(source, steps)?.findMatches(text, steps);
};

const part = fc.constantFrom('a', 'b', 'ä', '😀', '.', '\\d', '\\w', '[ab]', '[^a]', '^', '$', '\\b', '(?=b)', '(?!b)');
const often = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}');
const pattern = fc
  .array(
    fc.oneof(
      fc.tuple(part, often).map(([one, times]) => (/^(?:\^|\$|\\b|\(\?[=!])/.test(one) ? one : one + times)),
      fc.tuple(part, part, often).map(([one, other, times]) => `(?:${one}|${other}a)${times}`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));
const subject = fc
  .array(fc.constantFrom('a', 'b', 'ä', '😀', '1', ' '), { maxLength: 7 })
  .map((characters) => characters.join(''));

/** The same with the platform's engine, which is told where a match begins and ends. */
function findLeftmostLongest(source: string, text: string): Span[] {
  const characters = Array.from(text);
  const offset = (place: number): number => characters.slice(0, place).join('').length;
  const found: Span[] = [];
  for (let start = 0; start < characters.length; start += 1)
    for (let end = characters.length; end > start; end -= 1) {
      const exact = new RegExp(
        `^[^]{${start}}(?=[^]{${end - start}}([^]*)$)(?:${source})(?=\\1$)(?![^]{${characters.length - end + 1}})`,
        'u',
      );
      if (!exact.test(text)) continue;
      found.push({ start: offset(start), end: offset(end) });
      start = end - 1;
      break;
    }
  return found;
}

describe('the matches of a pattern', () => {
  it("are the leftmost and longest that the platform's regular expressions allow", () => {
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        expect(find(source, text)).toEqual(findLeftmostLongest(source, text));
      }),
      { numRuns: 700 },
    );
  });

  it.each([
    [
      'a|ab|abc',
      'xabcab',
      [
        { start: 1, end: 4 },
        { start: 4, end: 6 },
      ],
    ],
    ['b*', 'abba', [{ start: 1, end: 3 }]],
    [
      '.',
      '😀a',
      [
        { start: 0, end: 2 },
        { start: 2, end: 3 },
      ],
    ],
  ])('%s in %s', (source, text, expected) => {
    expect(find(source, text)).toEqual(expected);
  });

  it('are not known when the steps are used up', () => {
    const steps = new Steps(10_000);
    expect(compilePattern('a(?:[^]*z)?', steps)?.findMatches('a'.repeat(1_000), steps)).toBeNull();
  });
});
