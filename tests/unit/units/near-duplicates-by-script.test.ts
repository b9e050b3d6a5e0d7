import { describe, expect, test } from 'vitest';
import { decideDuplicate } from '#core/similarity/near-duplicates.ts';
import { contentWordsByLanguageRules } from '#core/similarity/foreign-words.ts';
import { withAsciiNumbers } from '#core/similarity/entities.ts';
import { detectWriting } from '#core/similarity/writing.ts';
import { scriptPairs, type ScriptPair } from '../../support/script-pairs.ts';

const scripts = ['thai', 'kana', 'hangul', 'arabic', 'cyrillic'] as const;
const isDuplicate = ({ a, b }: ScriptPair, cosine: number | null = null) => decideDuplicate(a, b, cosine).duplicate;
const known = scriptPairs.filter(({ half }) => half !== 'blind');
const blind = scriptPairs.filter(({ half }) => half === 'blind');

describe('the near-duplicate rule in scripts that are neither Latin nor Chinese', () => {
  test.each(scripts)('has at least twelve labelled pairs of every kind in %s', (script) => {
    const own = known.filter((pair) => pair.script === script);
    expect(own.length).toBeGreaterThanOrEqual(12);
    expect(new Set(own.map(({ kind }) => kind)).size).toBe(4);
    expect(own.filter(({ kind }) => kind === 'paraphrase').length).toBeGreaterThanOrEqual(6);
    for (const { a, b } of own) expect([detectWriting(a.text), detectWriting(b.text)]).toEqual(['other', 'other']);
  });

  test.each(known.map((pair) => [pair.id, pair] as const))(
    'is right for %s, whatever an embedder says that does not know it',
    (_id, pair) => {
      for (const cosine of [null, 0.05, 0.5, 1]) expect(isDuplicate(pair, cosine)).toBe(pair.kind === 'paraphrase');
    },
  );

  test('calls nothing a duplicate by mistake among blind pairs, and finds what shares its words', () => {
    const decided = blind.filter((pair) => isDuplicate(pair));
    const wanted = blind.filter(({ kind }) => kind === 'paraphrase');
    console.log(`blind: ${decided.length} of ${wanted.length} paraphrases found`);
    expect(decided.filter(({ kind }) => kind !== 'paraphrase')).toEqual([]);
    expect(decided.length).toBeGreaterThanOrEqual(6);
  });

  test('is symmetric, and calls a request a duplicate of itself', () => {
    for (const { a, b } of scriptPairs) {
      expect(decideDuplicate(b, a, null).duplicate).toBe(decideDuplicate(a, b, null).duplicate);
      expect(decideDuplicate(a, a, null).duplicate).toBe(true);
    }
  });

  test('tells two texts apart that consist of nothing but words without content', () => {
    const tools = ['app/ask'];
    expect(decideDuplicate({ text: 'ช่วยหน่อยครับ', tools }, { text: 'อะไรอยู่ที่ไหน', tools }, 0.05).duplicate).toBe(false);
    expect(decideDuplicate({ text: 'なにがある', tools }, { text: 'どこへいく', tools }, 0.05).duplicate).toBe(false);
  });

  test('holds a text in another script against one in Latin letters', () => {
    const tools = ['weather/forecast'];
    const thai = { text: 'พยากรณ์อากาศพรุ่งนี้ที่เชียงใหม่เป็นอย่างไร', tools };
    expect(decideDuplicate(thai, { text: 'What is the weather in Chiang Mai tomorrow?', tools }, 1).duplicate).toBe(
      false,
    );
  });
});

describe('words and numbers of other scripts', () => {
  test.each([
    ['Thai, without cutting at its vowel signs', 'เชียงใหม่', ['เชียงใหม่']],
    ['Russian, without their endings', 'погоду в Москве', ['погод', 'москв']],
    ['Korean, without their particles', '부산에서 회의를', ['부산', '회의']],
    ['Arabic, without article and vowel signs', 'الطقسُ في القاهرة', ['طقس', 'قاهر']],
    ['a language without a list of its own', 'καιρός Αθήνα', ['καιρός', 'αθήνα']],
  ])('are found in %s', (_language, text, words) => {
    expect(contentWordsByLanguageRules(text)).toEqual(words);
  });

  test.each([
    ['๒๕๐ บาท', '250 บาท'],
    ['٢٥٠ جنيه', '250 جنيه'],
    ['สรุปเป็นสามข้อ', 'สรุปเป็น 3 ข้อ'],
    ['세 가지', ' 3 가지'],
    ['в трёх пунктах', 'в  3  пунктах'],
    ['ثلاث نقاط', ' 3  نقاط'],
    ['세상', '세상'],
    ['сторона', 'сторона'],
  ])('are written in ASCII digits: %s', (text, written) => {
    expect(withAsciiNumbers(text)).toBe(written);
  });
});
