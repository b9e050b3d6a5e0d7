import { describe, expect, test } from 'vitest';
import { findUnreturnedValuesOfAnswerOrNull } from '#core/traces/unreturned-values.ts';
import { stepFrom } from '../scoring/steps.ts';

const request = 'Please look up order 20261121.';
const steps = [
  { ...stepFrom('shop/find_order_status'), text: '{"total": 1234567.5, "note": "all items\\n were shipped"}' },
  { ...stepFrom('shop/list_orders', 2), arguments: { code: 'fresh-pears-only' }, text: 'sold 7,654,321 pears' },
];
const unreturned = (finalText: string) => findUnreturnedValuesOfAnswerOrNull(request, { steps, finalText });

describe('the values that an answer states', () => {
  test.each([
    ['what a call returned', 'It says "All items were shipped".'],
    ['what the request says', 'The order 20261121 is there.'],
    ['what the agent wrote as an argument', 'I asked for `fresh-pears-only`.'],
    ['the names of the called tools', 'I used `find_order_status`, `shop/list_orders` and `shop__list_orders`.'],
    ['a number with separators of thousands', 'It is 1,234,567.5 in total; 7654321 were sold.'],
    ['something short', 'It is "fine", for 12,345 in 2026.'],
    ['nothing', 'It is done.'],
  ])('were returned if they are %s', (_of, finalText) => {
    expect(unreturned(finalText)).toEqual([]);
  });

  test.each([
    ['a text that nobody returned', 'It says "all twelve items were shipped".', 'all twelve items were shipped'],
    ['a text in code', 'The answer is `shipped-to-the-moon`.', 'shipped-to-the-moon'],
    ['a number', 'The total is 98765432.', '98765432'],
    ['a number with separators', 'The total is 987,654.', '987654'],
    ['an id', 'It is 123e4567-e89b-12d3-a456-426614174000.', '123e4567-e89b-12d3-a456-426614174000'],
  ])('were not returned if they are %s', (_of, finalText, found) => {
    expect(unreturned(finalText)).toEqual([found]);
  });

  test('are each named once, and at most 50 are checked', () => {
    const stray = '"all twelve items were shipped"';
    expect(unreturned(`${stray} ${stray}`)).toEqual(['all twelve items were shipped']);
    const distinct = Array.from({ length: 60 }, (_, n) => `result number ${n} of many`);
    const known = [{ ...stepFrom('a/b'), text: distinct.join(' ') }];
    const quoting = (count: number) =>
      findUnreturnedValuesOfAnswerOrNull('', {
        steps: known,
        finalText: `${distinct
          .slice(0, count)
          .map((each) => `"${each}"`)
          .join(' ')} ${stray}`,
      });
    expect(quoting(49)).toHaveLength(1);
    expect(quoting(50)).toEqual([]);
  });

  test('are unknown if a result was cut, and all unreturned if nothing was called', () => {
    const cut = steps.map((step, place) => ({ ...step, truncated: place === 1 }));
    expect(findUnreturnedValuesOfAnswerOrNull(request, { steps: cut, finalText: 'The total is 98765432.' })).toBeNull();
    expect(findUnreturnedValuesOfAnswerOrNull(request, { steps: [], finalText: 'It is 98765432.' })).toEqual([
      '98765432',
    ]);
  });
});
