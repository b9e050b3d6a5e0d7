import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutEntriesToTotal } from '#core/units/survey/bound-entries.ts';
import { hideHeaderValuesInText } from '#core/traces/redaction/hide-header-values.ts';

const withTexts = (...texts: string[]) => texts.map((text) => ({ text, cutChars: 0 }));

describe('the texts of a survey', () => {
  test('stay whole if they fit together', () => {
    expect(cutEntriesToTotal(withTexts('abc', 'de'), 5)).toEqual(withTexts('abc', 'de'));
  });

  test('share what short ones leave, and say how much was cut', () => {
    expect(cutEntriesToTotal(withTexts('a', 'b'.repeat(10), 'c'.repeat(20)), 11)).toEqual([
      { text: 'a', cutChars: 0 },
      { text: 'bbbbb', cutChars: 5 },
      { text: 'ccccc', cutChars: 15 },
    ]);
  });

  test('are never cut inside a character', () => {
    expect(cutEntriesToTotal(withTexts('ab😀'), 3)).toEqual([{ text: 'ab', cutChars: 2 }]);
  });

  test('keep their bound and their order, and cutting again counts on', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 })), fc.nat(100), fc.nat(100), (texts, a, b) => {
        const once = cutEntriesToTotal(withTexts(...texts), a);
        const twice = cutEntriesToTotal(once, b);
        expect(once.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(a);
        for (const [index, { text, cutChars }] of twice.entries()) {
          expect(texts[index]?.startsWith(text)).toBe(true);
          expect(text.length + cutChars).toBe(texts[index]?.length);
        }
      }),
    );
  });
});

describe('the values of headers are hidden', () => {
  test.each([
    ['whole', 'you sent s3cret-token!', { 'X-Token': 's3cret-token' }, 'you sent [hidden]!'],
    ['without their scheme', 'token abc.def', { Authorization: 'Bearer abc.def' }, 'token [hidden]'],
    ['as JSON has them', String.raw`{"t":"a\"bcd"}`, { 'X-T': 'a"bcd' }, '{"t":"[hidden]"}'],
    ['as URLs have them', '?key=a%2Fb%3Dc', { 'X-Key': 'a/b=c' }, '?key=[hidden]'],
    ['if short, only as whole words', 'v1 1 21', { 'X-Version': '1' }, 'v1 [hidden] 21'],
    ['and the word of a scheme stays', 'a Bearer token', { Authorization: 'Bearer abc.def' }, 'a Bearer token'],
  ])('%s', (_how, text, headers, expected) => {
    expect(hideHeaderValuesInText(text, headers)).toBe(expected);
  });

  test('but an empty one changes nothing', () => {
    expect(hideHeaderValuesInText('abc', { 'X-Empty': '' })).toBe('abc');
  });
});
