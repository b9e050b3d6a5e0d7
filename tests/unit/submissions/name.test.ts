import { describe, expect, test } from 'vitest';
import { nameSkeletons } from '#core/leaderboards/submissions/name-skeleton.ts';
import { entryName, normalizeName } from '#core/leaderboards/submissions/record.ts';

/** What takes room or none, and shows nothing: a filler, a braille pattern without dots, a joiner, selectors, a vowel sign nobody sees. */
const unseen = ['\u3164', '\u115f', '\uffa0', '\u2800', '\u034f', '\u200d', '\ufe0f', '\u{e0101}', '\u17b5', '\u200b'];

describe('the name of an entry', () => {
  test.each(unseen.map((each) => [`U+${each.codePointAt(0)?.toString(16)}`, each]))(
    'is the same with %s added, and is refused if it consists only of that',
    (_, each) => {
      expect(normalizeName(`Care${each}ful${each}`)).toBe('careful');
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
    expect(normalizeName('नमस्ते 한글 👩‍🚀')).not.toBe('');
  });
});

describe('the skeletons of a name', () => {
  const looksLike = (a: string, b: string) => nameSkeletons(a).some((each) => nameSkeletons(b).includes(each));

  test.each([
    ['hasty', 'h\u0251sty', 'a Latin alpha'],
    ['Honest', 'Hone\ua731t', 'a small capital s'],
    ['Honest', '\ua4e7onest', 'a Lisu letter'],
    ['Honest', 'H\u{10404}nest', 'a Deseret letter'],
    ['Honest', 'H\u{104c2}nest', 'an Osage letter'],
    ['gpt-4o', 'gpt-4\u043e', 'a Cyrillic letter after a digit'],
    ['Steady2a', 'Steady2\u0430', 'another one'],
    ['Honest hasty', 'Honest h\u1ea1sty', 'a dot below'],
    ['gpt-4o', 'gpt\u20114o', 'a hyphen that does not break'],
    ['gpt-4o', 'gpt\u22124o', 'a minus'],
    ['Iris', 'lris', 'a small l for a capital I'],
    ['gpt-4o', 'GPT-4O', 'capitals'],
  ])('of "%s" and "%s" have one in common, in spite of %s', (a, b) => {
    expect(looksLike(a, b)).toBe(true);
  });

  test.each([
    ['hasty', 'tasty'],
    ['gpt-5', 'gpt-6'],
    ['Agent 10', 'Agent 11'],
    ['\u0e0a\u0e32', '\u0e0a\u0e35'],
    ['東京', '京都'],
  ])('of "%s" and "%s" are different', (a, b) => {
    expect(looksLike(a, b)).toBe(false);
  });
});
