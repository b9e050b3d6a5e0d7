import { expect, test } from 'vitest';
import { cutVisibleText, showHiddenCharacters } from '#core/leaderboards/visible-text.ts';

test('unreadable characters are shown by a mark, and readable ones are kept', () => {
  expect(showHiddenCharacters('a\0b\tc\nd\x1be\x7ff')).toBe('a␀b␉c␊d␛e␡f');
  expect(showHiddenCharacters('x\x85y')).toBe('x␦y');
  // An override would show "exe.txt" as "txt.exe".
  expect(showHiddenCharacters('\u202Etxt.exe\u202C \u2067a\u2069 b\u200Bc\u00ADd\uFEFF')).toBe('␦txt.exe␦ ␦a␦ b␦c␦d␦');
  expect(showHiddenCharacters('half \uD800 of one')).toBe('half \uFFFD of one');
  for (const readable of ['Ünïcode 中文 עברית', '👩‍🚀 🇨🇭 é', '<b>&"'])
    expect(showHiddenCharacters(readable)).toBe(readable);
});

test('invisible characters are shown by a mark, unless they have a function', () => {
  for (const unseen of ['\u3164', '\u115f', '\uffa0', '\u2800', '\u034f', '\u17b5', '\u180b', '\u{e0001}'])
    expect(showHiddenCharacters(`a${unseen}b`)).toBe('a␦b');
  for (const idle of ['\u200d', '\u200c', '\ufe0f', '\ufe00', '\u{e0101}'])
    expect(showHiddenCharacters(`a${idle}b`)).toBe('a␦b');
  expect(showHiddenCharacters('👩\u200d\u200d🚀')).toBe('👩␦␦🚀');
  // Persian needs the one that keeps letters apart, Hindi the one that joins them, Japanese has variants of its signs.
  for (const working of [
    'می\u200cخواهم',
    'क्\u200dष',
    '葛\u{e0100}',
    '❤\ufe0f',
    '1\ufe0f\u20e3',
    '👩🏽\u200d🚀',
    '🏳\ufe0f\u200d🌈',
  ])
    expect(showHiddenCharacters(working)).toBe(working);
});

test('a text is cut at the end of a visible character', () => {
  expect(cutVisibleText('a'.repeat(30), 30)).toBe('a'.repeat(30));
  expect(cutVisibleText('a'.repeat(31), 30)).toBe(`${'a'.repeat(29)}…`);
  expect(cutVisibleText('👩‍🚀'.repeat(4), 3)).toBe(`${'👩‍🚀'.repeat(2)}…`);
});
