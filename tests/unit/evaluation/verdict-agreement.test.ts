import { describe, expect, it } from 'vitest';
import { makeVerdictAgreement, type AttemptVerdicts } from '#core/evaluation/verdict-agreement.ts';

const label = (verdict: 'success' | 'failure' | 'cannot-tell', labeller = 'ana') => ({ labeller, verdict });
const vote = (judge: string, verdict: boolean | null) => ({ judge, verdict });

describe('the agreement of verdicts', () => {
  it('compares each judge and the majority with the labels, on the same attempts', () => {
    const attempts: AttemptVerdicts[] = [
      { votes: [vote('a', true), vote('b', true), vote('c', false)], counted: true, labels: [label('success')] },
      { votes: [vote('a', true), vote('b', false), vote('c', false)], counted: false, labels: [label('failure')] },
      { votes: [vote('a', true), vote('b', null), vote('c', false)], counted: null, labels: [label('success')] },
      { votes: [vote('a', false), vote('b', false), vote('c', false)], counted: false, labels: [] },
    ];
    const { labels, withLabels, panel } = makeVerdictAgreement(attempts, 1);
    expect(labels).toMatchObject({ attempts: 3, decided: 3, labellers: [{ labeller: 'ana', labels: 3 }] });
    expect(withLabels.judges.map(({ judge, n, unparsed, accuracy }) => [judge, n, unparsed, accuracy.value])).toEqual([
      ['a', 3, 0, 2 / 3],
      ['b', 2, 1, 1],
      ['c', 3, 0, 1 / 3],
    ]);
    expect(withLabels.majority).toMatchObject({ n: 2, unparsed: 1, accuracy: { value: 1 }, kappa: { value: 1 } });
    expect(withLabels.anyJudge).toEqual({ n: 3, share: 1 });
    expect(panel).toMatchObject({ attempts: 4, undecided: 1 / 4 });
    expect(panel?.judges.map(({ judge, n, accuracy }) => [judge, n, accuracy.value])).toEqual([
      ['a', 3, 2 / 3],
      ['b', 3, 1],
      ['c', 3, 2 / 3],
    ]);
  });

  it('takes what most people say, and leaves out what they cannot tell or disagree on', () => {
    const of = (...labels: ReturnType<typeof label>[]): AttemptVerdicts => ({ votes: [], counted: true, labels });
    const { labels, withLabels, panel } = makeVerdictAgreement(
      [
        of(label('success'), label('success', 'ben'), label('failure', 'cy')),
        of(label('success'), label('failure', 'ben')),
        of(label('cannot-tell'), label('failure', 'ben')),
        of(label('cannot-tell')),
      ],
      1,
    );
    expect(labels).toMatchObject({ attempts: 4, decided: 2, cannotTell: 2 });
    expect(withLabels.majority).toMatchObject({ n: 2, accuracy: { value: 0.5 } });
    expect(panel).toBeNull();
  });

  it('takes the majority of the votes where the evaluation has no verdict of its own', () => {
    const { withLabels } = makeVerdictAgreement(
      [{ votes: [vote('a', false), vote('b', false), vote('c', true)], labels: [label('failure')] }],
      1,
    );
    expect(withLabels.majority).toMatchObject({ n: 1, accuracy: { value: 1 } });
  });

  it('says on how many attempts any judge is right, of those with several usable votes', () => {
    const { withLabels } = makeVerdictAgreement(
      [
        { votes: [vote('a', false), vote('b', false), vote('c', true)], labels: [label('success')] },
        { votes: [vote('a', false), vote('b', false)], labels: [label('success')] },
        { votes: [vote('a', true), vote('b', null)], labels: [label('success')] },
      ],
      1,
    );
    expect(withLabels.anyJudge).toEqual({ n: 2, share: 1 / 2 });
  });

  it('counts the errors that labels name, and has no figures without labels or votes', () => {
    const named = { ...label('failure'), error: 'granularity' as const };
    expect(makeVerdictAgreement([{ votes: [], labels: [named] }], 1)).toMatchObject({
      labels: { errors: { completeness: 0, 'hallucinated-completion': 0, granularity: 1, other: 0 } },
      withLabels: { judges: [], majority: null },
    });
    expect(makeVerdictAgreement([], 1)).toMatchObject({
      labels: { attempts: 0 },
      withLabels: { judges: [], majority: null },
      panel: null,
    });
  });
});
