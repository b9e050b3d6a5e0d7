import { expect, test } from 'vitest';
import { utcWeekdayAndDateText } from '#core/values/describe-date.ts';

test.each([
  ['2026-11-23T23:59:59.999Z', 'Monday, 2026-11-23'],
  ['2028-02-29T00:00:00.000Z', 'Tuesday, 2028-02-29'],
])('the day of %s is %s', (time, day) => {
  expect(utcWeekdayAndDateText(Date.parse(time))).toBe(day);
});
