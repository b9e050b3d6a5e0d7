import { describe, expect, test } from 'vitest';
import { differingEntity, entitiesOf } from '#core/units/entities.ts';
import { readQuantities } from '#core/units/quantities.ts';

const shown = (text: string) => entitiesOf(text).terms.map((term) => term.shown);

describe('what a text names', () => {
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
  ])('%s', (text, terms) => {
    expect(shown(text)).toEqual(terms);
  });
});

describe('quantities', () => {
  const read = (text: string) =>
    readQuantities(text).quantities.map((quantity) => {
      const { shown: _, ...rest } = quantity;
      return rest;
    });
  const number = (value: number, unit: string | null = null, weight = 'digits') => ({
    kind: 'number',
    value,
    unit,
    weight,
  });
  test.each<[text: string, quantities: object[]]>([
    ['1,000 files and 2500 more', [number(1000), number(2500)]],
    ['$1,000.50 or 50k', [number(1000.5, 'dollar'), number(50_000)]],
    ['17% and 17 percent', [number(17, 'percent'), number(17, 'percent')]],
    ['42 km, 42 kilometres', [number(42, 'km'), number(42, 'km')]],
    ['five steps, a dozen eggs', [number(5, null, 'words'), number(12, null, 'words')]],
    ['twenty-one, two hundred', [number(21, null, 'words'), number(200, null, 'words')]],
    ['one of 1', [number(1, null, 'none'), number(1, null, 'none')].toReversed()],
    ['at 3 pm, 15:00, 3:30 p.m.', [900, 930, 900].map((minutes) => ({ kind: 'time', minutes }))],
    ['下午三点半', [{ kind: 'time', minutes: 930 }]],
    ['2026-12-24', [{ kind: 'date', year: 2026, month: 12, day: 24 }]],
    ['24 December 2026', [{ kind: 'date', year: 2026, month: 12, day: 24 }]],
    ['on December 24', [{ kind: 'date', year: null, month: 12, day: 24 }]],
    ['2026年12月24日', [{ kind: 'date', year: 2026, month: 12, day: 24 }]],
    ['You may march on', []],
    [
      'on Tuesday, 周二',
      [
        { kind: 'weekday', day: 2 },
        { kind: 'weekday', day: 2 },
      ],
    ],
    ['三个部门,二十次', [number(3, null, 'words'), number(20, null, 'words')]],
    ['5万元', [number(50_000, 'yuan')]],
    ['百分之十七', [number(17, 'percent')]],
    ['三明治', []],
  ])('%s', (text, quantities) => {
    expect(read(text)).toEqual(quantities);
  });
});

describe('what differs', () => {
  test.each<[a: string, b: string, entity: string | undefined]>([
    ['Add 1,000 to it', 'It has to become 1000 more', undefined],
    ['It starts at nine', 'It starts at 9 am', undefined],
    ['Compare the two branches', 'Compare the branches', undefined],
    ['Plan for four people', 'Plan for six people', 'four people'],
    ['Save 3 copies', 'Save copies', '3'],
    ['It is 5 km away', 'It is 5 miles away', '5 km'],
    ['On 24 December', 'On December 24, 2026', undefined],
    ['Put today.md from notes aside', 'Put notes/today.md aside', undefined],
    ['Read a.txt', 'Read data.txt', 'a.txt'],
    ['Call it "Attic"', 'Call it Attic', undefined],
    ['Ask about Germany', 'Ask the German about it', undefined],
    ['Tell it to Anna', 'Anna must know it', undefined],
    ['Fly to Austria', 'Fly to Australia', 'Austria'],
    ['Which CPU is it?', 'Which processor is it?', undefined],
    ['Read OPS-118', 'Read OPS-181', 'OPS-118'],
  ])('%s | %s', (a, b, entity) => {
    expect(differingEntity(a, b)).toBe(entity);
    expect(differingEntity(b, a) === undefined).toBe(entity === undefined);
  });
});
