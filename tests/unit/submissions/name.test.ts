import { describe, expect, test } from 'vitest';
import { entryName, nameKey } from '#core/submissions/record.ts';

/** What takes room or none, and shows nothing: a filler, a braille pattern without dots, a joiner, selectors, a vowel sign nobody sees. */
const unseen = ['\u3164', '\u115f', '\uffa0', '\u2800', '\u034f', '\u200d', '\ufe0f', '\u{e0101}', '\u17b5', '\u200b'];

describe('the name of an entry', () => {
  test.each(unseen.map((each) => [`U+${each.codePointAt(0)?.toString(16)}`, each]))(
    'is the same with %s added, and is refused if it consists only of that',
    (_, each) => {
      expect(nameKey(`Care${each}ful${each}`)).toBe('careful');
      expect(entryName.safeParse(each.repeat(3)).success).toBe(false);
      expect(entryName.safeParse(` ${each} `).success).toBe(false);
    },
  );

  test.each([
    ['zer\u043e', 'Cyrillic'],
    ['\u0391gent', 'Greek'],
    ['\u054dextant 2', 'Armenian'],
  ])('is refused if a word mixes two scripts, as in %s, where the %s letter looks like another', (name) => {
    expect(entryName.safeParse(name).success).toBe(false);
  });

  test('may have words of several scripts, and scripts that belong together', () => {
    for (const name of ['Агент Sextant', 'α-agent', '東京タワー', 'GPT-5 mini', 'naïve'])
      expect(entryName.safeParse(name).success).toBe(true);
  });

  test('must contain a visible letter', () => {
    expect(entryName.safeParse(unseen.join(' ')).success).toBe(false);
    expect(entryName.safeParse(`${unseen.join('')}a`).success).toBe(true);
    expect(nameKey('नमस्ते 한글 👩‍🚀')).not.toBe('');
  });
});
