import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeText, diceCoefficientOfBags, jaccardOfWords, splitWords } from '#core/similarity/text-likeness.ts';
import { detectWriting } from '#core/similarity/writing.ts';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.lorem({ maxCount: 12 }),
  fc.constantFrom('查询上海的天气', '', ' '),
);

describe.each([
  ['wordJaccard', jaccardOfWords],
  ['dice of characters', (a: string, b: string) => diceCoefficientOfBags([...a], [...b])],
])('%s', (_name, likeness) => {
  test('lies between 0 and 1 and is symmetric', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const value = likeness(a, b);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
        expect(likeness(b, a)).toBe(value);
      }),
    );
  });
  test('is 1 for a text with itself', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(likeness(text, text)).toBe(1);
      }),
    );
  });
});

test('letter case, width, white space and punctuation do not matter', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(normalizeText(normalizeText(text))).toBe(normalizeText(text));
    }),
  );
  expect(normalizeText('  Ｒead  "today.md",\nplease! ')).toBe('read today md please');
});

test('a text is split into words, or into characters if it has no spaces', () => {
  expect(splitWords("What's in Anna's notes?")).toEqual(['what', 'in', 'anna', 'notes']);
  expect(splitWords('打开 today.md')).toEqual(['打', '开', 'today', 'md']);
  expect(jaccardOfWords('move the letter', 'move the menu')).toBe(0.5);
  expect(jaccardOfWords('猫和狗', '狗和猫')).toBe(1);
});

test('how a text is written is decided by most of its words', () => {
  expect(detectWriting('读取 notes/today.md 的内容')).toBe('han');
  expect(detectWriting('Translate 你好 into English for me')).toBe('latin');
  expect(detectWriting('今日の天気')).toBe('other');
  expect(detectWriting('Сколько строк в report.txt?')).toBe('other');
  expect(detectWriting('')).toBe('latin');
});

test('marks that belong to letters do not part a word', () => {
  expect(splitWords('طقسُ')).toEqual(['طقسُ']);
});
