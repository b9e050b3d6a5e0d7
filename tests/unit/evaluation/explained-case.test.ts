import { describe, expect, it } from 'vitest';
import { listShortfallsOfAttempt, makeExplainedCase, explainedCase } from '#core/evaluation/explained-case.ts';
import { makeScore, makeUnscored, type Score } from '#core/scoring/score.ts';
import { begun, finished } from './cases.ts';

const failed = (why: string): Score =>
  makeScore(0, { achieved: [true, false, false], reasons: ['it is there', why, 'nobody asked'], answered: true }, why);
const explained = (success: Score, goals: readonly string[] = []) =>
  makeExplainedCase(
    finished(
      { unit: 'u1', agent: 'a' },
      { tools: ['fruit/apple'], grades: { success, uic: makeUnscored('judge-unparsed', {}) } },
    ),
    { ok: true, value: [...goals] },
  );
const shortfallsOf = (each: ReturnType<typeof explained>) =>
  each.attempts.map((attempt) => listShortfallsOfAttempt(attempt, each.goals));

describe('what explains a case', () => {
  it('is every score of its attempts in the order of the requests, with the goals', () => {
    const each = explained(failed('no price'), ['the price', 'the day']);
    expect(explainedCase.parse(each)).toEqual(each);
    expect(each).toMatchObject({ unit: 'u1', agent: 'a', trial: 1, goals: ['the price', 'the day'] });
    expect(each.attempts.map(({ request, end }) => [request, end])).toEqual([
      ['source', 'answered'],
      ['followUp', 'answered'],
    ]);
  });

  it('is nothing of attempts that were not made, and no goals if nobody planned them', () => {
    const none = makeExplainedCase(begun(), null);
    expect([none.attempts, none.goals, none.scores]).toEqual([[], [], {}]);
    expect(makeExplainedCase(begun(), { ok: false, reason: 'judge-refused' }).goals).toEqual([]);
  });
});

describe('what an attempt falls short in', () => {
  it('is each score that is not the best, with its reason, and the missed goals behind the verdict', () => {
    const [source = []] = shortfallsOf(explained(failed('no price'), ['the day', 'the price']));
    expect(source.slice(0, 3)).toEqual([
      { of: 'success', value: 0, why: 'no price' },
      { of: 'goal 2 (the price)', value: 0, why: 'no price' },
      { of: 'goal 3', value: 0, why: 'nobody asked' },
    ]);
    expect(source.map(({ of }) => of)).toEqual(['success', 'goal 2 (the price)', 'goal 3', 'chain', 'TCS', 'AR']);
    expect(source.find(({ of }) => of === 'TCS')?.why).toBe('1 of 2 expected tools were called in order, in 1 calls.');
  });

  it('leaves out what is best or unscored', () => {
    const [source = []] = shortfallsOf(explained(makeScore(1, {})));
    expect(source.map(({ of }) => of)).toEqual(['chain', 'TCS', 'AR']);
  });

  it('cuts long reasons and goals', () => {
    const [source = []] = shortfallsOf(explained(failed('x'.repeat(2_000)), ['day', 'y'.repeat(2_000)]));
    for (const { of, why } of source) expect(of.length + why.length).toBeLessThan(700);
    expect(source[0]?.why.endsWith('x…')).toBe(true);
  });
});
