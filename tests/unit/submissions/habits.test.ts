import { describe, expect, test } from 'vitest';
import { noHabits, habitsAfter, habitFindings } from '#core/submissions/habits.ts';
import { attemptDigest, makeAttemptSketch } from '#core/submissions/sketch.ts';
import { attemptAt } from '../../support/trace-file.ts';

const { trace } = await attemptAt('u_1', 1, 'source');
const silent = { steps: [], finalText: 'Everything is fine.' };

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

test('answers with values that no call returned are a habit only where all results are known', () => {
  const inventing = { ...trace, finalText: 'The total is 98765432.' };
  const cut = { ...inventing, steps: trace.steps.map((step) => ({ ...step, truncated: true })) };
  const afterFour = (of: typeof trace) => habitFindings(habitsAfter({ ...noHabits, attempts: 4 }, '', of));
  expect(afterFour(inventing)).toMatchObject([{ kind: 'unreturned-results', where: '1 of 5 attempts' }]);
  expect(afterFour(cut)).toEqual([]);
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
