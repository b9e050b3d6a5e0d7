import { describe, expect, test } from 'vitest';
import { findDifferingEntityText, extractEntitiesAndRest } from '#core/similarity/entities.ts';
import { extractQuantitiesAndRest } from '#core/similarity/quantities.ts';

const shown = (text: string) => extractEntitiesAndRest(text).terms.map((term) => term.shown);

const differing = (a: string, b: string) =>
  findDifferingEntityText(
    { text: a, entities: extractEntitiesAndRest(a) },
    { text: b, entities: extractEntitiesAndRest(b) },
  );

describe('the names in a text', () => {
  test.each<[text: string, terms: string[]]>([
    ['Mark the task "Book the room" as done.', ['Book the room']],
    ["Don't touch 'this one', it's Anna's.", ['this one', 'Anna']],
    ['把任务“预订会议室”和「买椅子」标记为完成', ['预订会议室', '买椅子']],
    ['Open https://example.com/a?b=c, then write to me@example.com.', ['https://example.com/a?b=c', 'me@example.com']],
    ['Move notes/today.md to /var/log and read it.', ['notes/today.md', '/var/log']],
    ['Hash it with SHA-256 and tag v1.4.0 on release-2.1.', ['v1.4.0', 'SHA-256', 'release-2.1']],
    ['Make #1e40af darker in 10.0.0.0/22.', ['#1e40af', '10.0.0.0/22']],
    ['Remember that Anna Berg works in São Paulo. Then stop.', ['Anna', 'Berg', 'São', 'Paulo']],
    ["I think I'd do it. Please do.", []],
    ['JSON or CSV?', ['JSON', 'CSV']],
    ['比较 main 和 hotfix 的差异', ['main', 'hotfix']],
  ])('are found in %s', (text, terms) => {
    expect(shown(text)).toEqual(terms);
  });
});

test.each(['，Anna', '！Anna', '。Anna', ',Anna', 'Anna，', 'Anna。'])(
  'punctuation around a quoted value does not matter: %s',
  (quoted) => {
    expect(differing(`Write to "${quoted}" now.`, 'Write to "Anna" now.')).toBeUndefined();
  },
);

describe('the quantities in a text', () => {
  const read = (text: string) =>
    extractQuantitiesAndRest(text).quantities.map((quantity) => {
      const { shown: _, ...rest } = quantity;
      return rest;
    });
  const number = (value: number, unit: string | null = null, size = value) => ({ kind: 'number', value, unit, size });
  const time = (minutes: number, half = true) => ({ kind: 'time', minutes, half });
  const weekday = (day: number) => ({ kind: 'weekday', day });
  test.each<[text: string, quantities: object[]]>([
    ['1,000 files and 2500 more', [number(1000), number(2500)]],
    ['$1,000.50 or 50k', [number(1000.5, 'dollar'), number(50_000)]],
    ['17% and 17 percent', [number(17, 'percent'), number(17, 'percent')]],
    ['42 km, 42 kilometres', [number(42, 'mm', 42e6), number(42, 'mm', 42e6)]],
    ['five steps, a dozen eggs', [number(5), number(12)]],
    ['twenty-one, two hundred, half a dozen', [number(21), number(200), number(6)]],
    ['the third line', [number(3)]],
    ['one of 1', [number(1)]],
    ['half an hour, an hour and a half', [number(0.5, 'second', 1800), number(1.5, 'second', 5400)]],
    ['at 3 pm, 15:00, 3:30 p.m.', [time(900), time(930), time(900, false)]],
    ['half past three', [time(210, false)]],
    ['quarter to 9 in the evening, noon', [time(1245), time(720)]],
    ['下午三点半', [time(930)]],
    ['三点半', [time(210, false)]],
    ['2026-12-24', [{ kind: 'date', year: 2026, month: 12, day: 24 }]],
    ['24 December 2026', [{ kind: 'date', year: 2026, month: 12, day: 24 }]],
    ['on December 24', [{ kind: 'date', year: null, month: 12, day: 24 }]],
    ['2026年12月24日', [{ kind: 'date', year: 2026, month: 12, day: 24 }]],
    ['You may march on', []],
    ['on Tuesday, Tue, 周二', [weekday(2), weekday(2), weekday(2)]],
    ['who sat there', []],
    ['tomorrow, 昨天', [1, -1].map((day) => ({ kind: 'relative', day }))],
    ['三个部门,二十次', [number(3), number(20)]],
    ['5万元', [number(50_000, 'yuan')]],
    ['百分之十七,三成', [number(17, 'percent'), number(30, 'percent')]],
    ['两个半小时', [number(2.5, 'second', 9000)]],
    ['三明治', []],
  ])('are found in %s', (text, quantities) => {
    expect(read(text)).toEqual(quantities);
  });
});

describe('the differences between two texts', () => {
  test.each<[a: string, b: string, entity: string | undefined]>([
    ['Add 1,000 to it', 'It has to become 1000 more', undefined],
    ['It starts at nine', 'It starts at 9 am', undefined],
    ['Compare the two branches', 'Compare the branches', undefined],
    ['Plan for four people', 'Plan for six people', 'four people'],
    ['Save 3 copies', 'Save copies', '3'],
    ['The two of them know all three', 'They know them', undefined],
    ['Wait 90 minutes', 'Wait an hour and a half', undefined],
    ['Wait an hour', 'Wait two hours', 'an hour'],
    ['From 2 to 3 in the afternoon', '14:00-15:00', undefined],
    ['At 3:30 pm', 'At half past three', undefined],
    ['Tomorrow at 9', 'Today at 9', 'Tomorrow'],
    ['On Thursday 8 May', 'Thu May 8', undefined],
    ['研发五成', '研发50%', undefined],
    ['It is 5 km away', 'It is 5 miles away', '5 km'],
    ['On 24 December', 'On December 24, 2026', undefined],
    ['Put today.md from notes aside', 'Put notes/today.md aside', undefined],
    ['Read a.txt', 'Read data.txt', 'a.txt'],
    ['Call it "Attic"', 'Call it Attic', undefined],
    ['Ask about Germany', 'Ask the German about it', undefined],
    ['Tell it to Anna', 'Anna must know it', undefined],
    ['Fly to Austria', 'Fly to Australia', 'Austria'],
    ['Which CPU is it?', 'Which processor is it?', undefined],
    ['Which takes most memory?', 'Which takes most RAM?', undefined],
    ['Is it in JSON?', 'Is it in YAML?', 'JSON'],
    ['Is it $20 in GBP?', 'Is it $20 in pounds?', undefined],
    ['Its SHA-256', 'Its sha256', undefined],
    ['Read OPS-118', 'Read OPS-181', 'OPS-118'],
  ])('are found in %s | %s', (a, b, entity) => {
    expect(differing(a, b)).toBe(entity);
    expect(differing(b, a) === undefined).toBe(entity === undefined);
  });
});
