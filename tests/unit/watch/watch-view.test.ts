import { expect, test } from 'vitest';
import { listChangedWords } from '#core/reports/watch/changed-words.ts';
import type { PastVisit } from '#core/reports/watch/record.ts';
import { layOutVisitBars } from '#core/reports/watch/visit-bars.ts';

test('changed words join to both texts, and hidden characters are named', () => {
  const parts = listChangedWords('Lists the open orders.', 'Lists all open\u200b orders.');
  const join = (without: string): string => parts.flatMap(([kind, text]) => (kind === without ? [] : [text])).join('');
  expect(join('new')).toBe('Lists the open orders.');
  expect(join('gone')).toBe('Lists all open[U+200B] orders.');
  expect(parts[0]).toEqual(['same', 'Lists']);
  expect(parts.at(-1)).toEqual(['same', ' orders.']);
});

test('texts that are too long to compare count as changed as a whole', () => {
  const [before, now] = ['a '.repeat(2_000), 'b '.repeat(2_000)];
  expect(listChangedWords(before, now)).toEqual([
    ['gone', before],
    ['new', now],
  ]);
});

test('bars stand right, the latest last, as high as their calls took', () => {
  const visit = (number: number, more: Partial<PastVisit> = {}): PastVisit => ({
    number,
    at: '2026-11-30T07:00:00.000Z',
    problem: null,
    calls: 1,
    unusual: 0,
    medianMs: 10,
    ...more,
  });
  const { bars, places, said } = layOutVisitBars([
    visit(3, { problem: 'no answer', medianMs: null }),
    visit(2, { unusual: 1, medianMs: 20 }),
    visit(1),
  ]);
  expect(bars.map(({ kind }) => kind)).toEqual(['mark', 'warn', 'bad']);
  expect(bars.map(({ tall }) => tall)).toEqual([0.5, 1, 1]);
  expect(bars.at(-1)?.place).toBe(places - 1);
  expect(said).toContain('The last 3 visits: 1 did not reach the server.');
});
