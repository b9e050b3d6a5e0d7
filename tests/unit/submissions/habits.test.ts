import { describe, expect, test } from 'vitest';
import { noHabits, habitsAfter, hasUnreturnedQuotation, habitFindings } from '#core/submissions/habits.ts';
import { attemptDigest, makeAttemptSketch } from '#core/submissions/sketch.ts';
import { attemptAt } from '../../support/trace-file.ts';

const { trace } = await attemptAt('u_1', 1, 'source');
const silent = { steps: [], finalText: 'Everything is fine.' };

describe('a quotation in a response', () => {
  const saying = (finalText: string) =>
    hasUnreturnedQuotation('Please look up order 20261121.', { ...trace, finalText });
  test.each([
    ['what a call returned', 'It says "result 2 of fruit/pear".'],
    ['what the request says', 'The order 20261121 is there.'],
    ['something short', 'It is "fine".'],
    ['nothing', 'It is done.'],
  ])('is found in %s', (_of, text) => {
    expect(saying(text)).toBe(false);
  });
  test.each([
    ['a text that nobody returned', 'It says "all twelve items were shipped".'],
    ['a text in code', 'The answer is `shipped-to-the-moon`.'],
    ['a number that nobody returned', 'The total is 98765432.'],
    ['an id that nobody returned', 'Its id is 123e4567-e89b-12d3-a456-426614174000.'],
  ])('is not found in %s', (_of, text) => {
    expect(saying(text)).toBe(true);
  });

  test('is checked once, and at most 50 are', () => {
    const unreturned = '"all twelve items were shipped"';
    expect(saying(`${'"result 1 of fruit/apple" '.repeat(200)} ${unreturned}`)).toBe(true);
    const distinct = Array.from({ length: 60 }, (_, n) => `result number ${n} of many`);
    const steps = trace.steps.map((step) => ({ ...step, text: distinct.join(' ') }));
    const quoting = (count: number) =>
      hasUnreturnedQuotation('', {
        steps,
        finalText: `${distinct
          .slice(0, count)
          .map((each) => `"${each}"`)
          .join(' ')} ${unreturned}`,
      });
    expect(quoting(49)).toBe(true);
    expect(quoting(50)).toBe(false);
  });

  test('proves nothing if a result is only partly known', () => {
    const steps = trace.steps.map((step) => ({ ...step, truncated: true }));
    expect(hasUnreturnedQuotation('', { steps, finalText: 'The total is 98765432.' })).toBe(false);
  });
});

describe('suspicious habits', () => {
  const habitsOf = (silentOnes: number) => {
    let habits = noHabits;
    for (let n = 0; n < 20; n += 1) habits = habitsAfter(habits, '', n < silentOnes ? silent : trace);
    return habitFindings(habits).map(({ kind, where }) => [kind, where]);
  };

  test('are reported from a certain share on', () => {
    expect(habitsOf(0)).toEqual([]);
    expect(habitsOf(2)).toEqual([]);
    expect(habitsOf(3)).toEqual([['responses-without-calls', '3 of 20 attempts']]);
  });
});

describe("the sketch of an agent's calls", () => {
  test('does not depend on time and cost', async () => {
    const digest = await attemptDigest('u_1', 'source', trace);
    const slower = { ...trace, durationMs: 9, steps: trace.steps.map((step) => ({ ...step, latencyMs: 99 })) };
    expect(await attemptDigest('u_1', 'source', slower)).toBe(digest);
    expect(await attemptDigest('u_1', 'followUp', trace)).not.toBe(digest);
    const steps = trace.steps.map((step) => ({ ...step, arguments: { code: 'another' } }));
    expect(await attemptDigest('u_1', 'source', { steps })).not.toBe(digest);
  });

  test('does not depend on texts: a copy with one more space is a copy', async () => {
    const said = { ...trace, finalText: `${trace.finalText} ` };
    expect(await attemptDigest('u_1', 'source', said)).toBe(await attemptDigest('u_1', 'source', trace));
  });

  test('is empty without a call', async () => {
    expect(await attemptDigest('u_1', 'source', silent)).toBeNull();
  });

  test('has a bounded size and does not depend on order', () => {
    const digests = Array.from({ length: 500 }, (_, n) => String((n * 7919) % 500).padStart(4, '0'));
    expect(makeAttemptSketch([...digests, ...digests])).toEqual(makeAttemptSketch(digests.toReversed()));
    expect(makeAttemptSketch(digests)).toHaveLength(64);
    expect(makeAttemptSketch(digests)[0]).toBe('0000');
  });
});
