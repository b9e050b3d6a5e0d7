import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listLostValues } from '#core/similarity/entities.ts';

describe('the values that another wording lost', () => {
  it.each([
    ['a number', 'Heat it to 80 degrees.', 'Heat it up.', ['80']],
    ['another number', 'Take 80 and 60.', 'Take about 80 and 61.', ['60']],
    ['a quotation', 'Search for "blue heron".', 'Search for a bird.', ['blue heron']],
  ])('have %s', (_what, concrete, fuzzy, lost) => {
    expect(listLostValues(concrete, fuzzy)).toEqual(lost);
  });

  it.each([
    ['values in other forms', 'Wait 30 minutes, then call at 15:00.', 'Give it half an hour, then call at 3 pm.'],
    ['quotations without marks', 'Search for "blue heron".', 'Anything on the blue heron?'],
    ['names of tools', 'Call get_weather for 3 days with weather/get_forecast.', 'How will the next 3 days be?'],
    ['the numbers of a list', '1. Find it. 2) Read it.\n3. Report 7 lines.', 'Tell me 7 lines of it.'],
  ])('have none for %s', (_what, concrete, fuzzy) => {
    expect(listLostValues(concrete, fuzzy)).toEqual([]);
  });

  it('are none for a text that has all of the other, whatever its numbers are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 20, max: 9_999 }), { minLength: 1 }), (numbers) => {
        const text = numbers.map((number) => `take ${number} of them`).join(', ');
        expect(listLostValues(text, `Please ${text}`)).toEqual([]);
      }),
    );
  });
});
