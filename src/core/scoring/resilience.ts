import { disturbed } from './disturbed.ts';
import { makeCaseScorer } from './scorer.ts';
import { makeScore, makeUnscored, type Score } from './score.ts';
import { undisturbed } from './undisturbed.ts';

export type ResilienceParts = { readonly without: number | null; readonly with: number | null };

/** Returns what disturbances change: success under them less success without, -1..1, at one unit in one trial. */
export function scoreResilience(without: Score, under: Score): Score<ResilienceParts> {
  const parts = { without: without.value, with: under.value };
  if (without.value === null) return makeUnscored(without.reason, parts);
  if (under.value === null) return makeUnscored(under.reason, parts);
  return makeScore(under.value - without.value, parts);
}

export const resilience = makeCaseScorer({
  key: 'resilience',
  title: 'resilience',
  name: 'resilience',
  question: 'What do disturbances change?',
  formula: `${disturbed.title} less ${undisturbed.title}, within a case`,
  caveat: `a reason to prefer an agent: one that fails always has 0; rank by ${disturbed.title}`,
  range: [-1, 1],
  direction: 'higher',
  source: "Sextant's own",
  needs: ['judge'],
  parts: [
    { key: 'without', title: 'without', name: 'success undisturbed, of the cases that have both' },
    { key: 'with', title: 'with', name: 'success under disturbance, of the cases that have both' },
  ],
  brief: true,
  binary: false,
  score: ({ scoreOf }) => scoreResilience(scoreOf(undisturbed), scoreOf(disturbed)),
});
