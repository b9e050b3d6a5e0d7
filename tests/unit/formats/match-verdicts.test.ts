import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newVotes } from '#core/evaluation/labels.ts';
import {
  makeLabelsOfPublishedVerdicts,
  makeVotesOfPublishedVerdicts,
} from '#core/evaluation/live-mcp-bench/match-verdicts.ts';

const place = (unit: string) => ({ unit, agent: 'steady', trial: 1, request: 'request' });
const places = new Map(['a', 'b', 'c', 'd'].map((task) => [task, place(`u_${task}`)]));

describe('published verdicts on the attempts of an evaluation', () => {
  it('are votes, and what is no verdict is named and neither success nor failure', () => {
    const published = [
      { task_id: 'a', judge: 'success', judge_reason: 'all of it' },
      { task_id: 'b', judge: 'Thoughts: it successfully failed.\nStatus: "failure"' },
      { task_id: 'c', judge: 'The agent had success in part.' },
      { task_id: 'c', judge: 'success' },
      { task_id: 'z', judge: 'failure' },
    ];
    expect(makeVotesOfPublishedVerdicts(published, places)).toEqual({
      votes: [
        { ...place('u_a'), verdict: true, why: 'all of it' },
        { ...place('u_b'), verdict: false, why: '' },
        { ...place('u_c'), verdict: null, why: '' },
      ],
      unparsed: ['c at 3'],
      unmatched: ['c at 4', 'z at 5'],
    });
  });

  it('of people are labels, and what is no verdict is none', () => {
    const published = [
      { task_id: 'a', task_success: 'success' },
      { task_id: 'b', task_success: 'failure' },
      { task_id: 'c', task_success: 'partly' },
    ];
    const { labels, unparsed, unmatched } = makeLabelsOfPublishedVerdicts(published, places);
    expect(labels.map(({ unit, verdict }) => [unit, verdict])).toEqual([
      ['u_a', 'success'],
      ['u_b', 'failure'],
    ]);
    expect([unparsed, unmatched]).toEqual([['c at 3'], []]);
  });

  it('lose no record, and make votes that the service takes, whatever the texts are', () => {
    const record = fc.record({ task_id: fc.constantFrom('a', 'b', 'c', 'd', 'z'), judge: fc.string() });
    fc.assert(
      fc.property(fc.array(record, { minLength: 1 }), (published) => {
        const { votes, unparsed, unmatched } = makeVotesOfPublishedVerdicts(published, places);
        expect(votes.length + unmatched.length).toBe(published.length);
        expect(votes.filter(({ verdict }) => verdict === null)).toHaveLength(unparsed.length);
        if (votes.length > 0) expect(newVotes.safeParse({ judge: 'x', votes }).success).toBe(true);
      }),
    );
  });
});
