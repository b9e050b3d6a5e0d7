import { describe, expect, it } from 'vitest';
import { VerdictCounts } from '#core/evaluation/judge-agreement.ts';
import { makeRandom } from '#core/values/random.ts';
import { scoreSuccessByPanel, getVerdictSchemaForGoalCount, type SuccessVerdict } from '#core/scoring/success.ts';
import type { MemberAnswer } from '#core/scoring/scorer.ts';
import { majorityVerdict, namePanelMembers } from '#core/scoring/votes.ts';
import { traceOf } from './steps.ts';

const made = { ...traceOf('fruit/apple'), finalText: 'It weighs 120 g.' };

const says = (judge: string, success: boolean): MemberAnswer<SuccessVerdict> => ({
  judge,
  answer: {
    ok: true,
    value: { goals: [{ goal: 1, why: 'so', achieved: success }], why: `${judge} says so.`, success },
  },
});
const silent = (judge: string): MemberAnswer<SuccessVerdict> => ({
  judge,
  answer: { ok: false, reason: 'judge-unparsed' },
});

describe('the success of an attempt before a panel', () => {
  it('is what most of its members say, with the reasons of the first of them', () => {
    const score = scoreSuccessByPanel(made, [says('a', false), says('b', true), says('c', true)]);
    expect(score).toMatchObject({
      value: 1,
      parts: { achieved: [true] },
      explanation: '2 of 3 judges found a success. b says so.',
    });
    expect(score.votes).toEqual([
      { judge: 'a', verdict: false, reason: null, why: 'a says so.' },
      { judge: 'b', verdict: true, reason: null, why: 'b says so.' },
      { judge: 'c', verdict: true, reason: null, why: 'c says so.' },
    ]);
  });

  it('is decided by the votes that can be used', () => {
    const score = scoreSuccessByPanel(made, [silent('a'), says('b', false), silent('c')]);
    expect(score).toMatchObject({ value: 0 });
    expect(score.votes?.[0]).toEqual({ judge: 'a', verdict: null, reason: 'judge-unparsed', why: '' });
  });

  it.each([
    { name: 'a tie', answers: [says('a', true), says('b', false)] },
    { name: 'no vote that can be used', answers: [silent('a'), silent('b'), silent('c')] },
  ])('is undecided after $name, and the votes are kept', ({ answers }) => {
    const score = scoreSuccessByPanel(made, answers);
    expect(score).toMatchObject({ value: null, reason: 'undecided' });
    expect(score.votes).toHaveLength(answers.length);
  });

  it('keeps the reason of a judge who is asked alone, and no votes', () => {
    expect(scoreSuccessByPanel(made, [silent('a')])).toMatchObject({ value: null, reason: 'judge-unparsed' });
    expect(scoreSuccessByPanel(made, [says('a', true)])).not.toHaveProperty('votes');
  });

  it('is a failure by rule without an answer, whatever the panel says', () => {
    const score = scoreSuccessByPanel({ ...made, finalText: '' }, [says('a', true), says('b', true), says('c', true)]);
    expect(score).toMatchObject({ value: 0, explanation: 'The agent gave no answer.' });
  });
});

describe('the members of a panel', () => {
  it('have a name each, even if two are the same model', () => {
    expect(namePanelMembers(['gpt', 'qwen', 'gpt', 'gpt'])).toEqual(['gpt', 'qwen', 'gpt#2', 'gpt#3']);
  });
});

/** What people say of 95 attempts: 67 successes, as in LiveMCPBench's published annotation. */
const labels = Array.from({ length: 95 }, (_, at) => at < 67);

describe('members that are wrong on purpose', () => {
  const read = (text: string): boolean | null => {
    const parsed = getVerdictSchemaForGoalCount(1)?.safeParse(safeJson(text));
    return parsed?.success === true ? parsed.data.success : null;
  };
  const json = (success: boolean, why: string): string =>
    JSON.stringify({ goals: [{ goal: 1, why, achieved: success }], why, success });

  it('agree with people by no more than chance, alone and in the majority of a panel', () => {
    const coin = makeRandom(7, 'coin');
    const members = {
      yes: labels.map(() => read(json(true, 'It is a failure.'))),
      no: labels.map(() => read(json(false, 'A success.'))),
      coin: labels.map(() => read(json(coin.next() < 0.5, 'so'))),
    };
    const agreement = (verdicts: readonly (boolean | null)[]) => {
      const counts = new VerdictCounts();
      for (const [at, label] of labels.entries()) counts.countLabelAndVerdict(label, verdicts[at] ?? null);
      return counts.computeAgreement(makeRandom(1, 'agreement'));
    };
    expect([agreement(members.yes).kappa.value, agreement(members.no).kappa.value]).toEqual([0, 0]);
    const majority = agreement(
      labels.map((_, at) =>
        majorityVerdict([members.yes[at] ?? null, members.no[at] ?? null, members.coin[at] ?? null]),
      ),
    );
    // Yes and no cancel each other out, so that the coin decides.
    expect(majority).toEqual(agreement(members.coin));
    expect(majority.kappa.interval?.low).toBeLessThanOrEqual(0);
    expect(majority.kappa.interval?.high).toBeGreaterThanOrEqual(0);
  });

  it('are not misread: the verdict counts, not the words around it', () => {
    expect(read(json(true, 'No failure: one call failed, and its failure was repaired.'))).toBe(true);
    expect(read(json(false, 'It successfully read the file. Success!'))).toBe(false);
    for (const text of ['success', 'Status: failure', `Here is my verdict: ${json(true, '')}`, '"success"', 'true'])
      expect(read(text)).toBeNull();
  });
});

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
