import { expect, test } from 'vitest';
import { judgeAgreementSection } from '#core/evaluation/report/judges-section.ts';
import { makeVerdictAgreement } from '#core/evaluation/verdict-agreement.ts';

const votes = (...verdicts: readonly (boolean | null)[]) =>
  verdicts.map((verdict, at) => ({ judge: ['gpt|4', 'qwen'][at] ?? '', verdict }));
const labels = (verdict: 'success' | 'failure') => [{ labeller: 'ana', verdict }];

test('a report has the agreement of judges with people and with the majority', () => {
  const section = judgeAgreementSection(
    makeVerdictAgreement(
      [
        { votes: votes(true, true), counted: true, labels: labels('success') },
        { votes: votes(false, false), counted: false, labels: labels('failure') },
        { votes: votes(true, false), counted: null, labels: labels('failure') },
        { votes: votes(true, null), counted: true, labels: [] },
      ],
      1,
    ),
  ).join('\n');
  expect(section).toContain('## Judges');
  expect(section).toContain('on 3 labelled attempts');
  expect(section).toContain(String.raw`gpt\|4 | 3 | 0 | 0.667`);
  expect(section).toContain('the verdict that counts | 2 | 1 | 1.000');
  expect(section).toContain('on 4 attempts, 25.0% of them undecided');
});

test('a report says nothing of judges without labels and without a panel', () => {
  expect(judgeAgreementSection(makeVerdictAgreement([{ votes: votes(true), counted: true, labels: [] }], 1))).toEqual(
    [],
  );
});
