import { z } from 'zod';
import { findWhetherNoticed } from '#core/traces/disturbances/attempt-under-disturbance.ts';
import { findDisturbance } from '#core/traces/disturbances/disturbances.ts';
import type { DisturbanceRecord } from '#core/traces/disturbances/record.ts';
import { makeJudgedCalls } from './judged-calls.ts';
import { cutReason } from './kept-reason.ts';
import { makeJudgedScorer, type AttemptEvidence, type JudgeQuestion } from './scorer.ts';
import { makeScore, makeUnscored, type Judged, type Score } from './score.ts';

const noticingVerdict = z.object({ why: z.string().max(2_000), noticed: z.boolean() });
type NoticingVerdict = z.infer<typeof noticingVerdict>;

const noticingQuestion: JudgeQuestion<NoticingVerdict> = {
  form: 'noticing',
  answerTokens: 1_000,
  prompt: 'judge-noticing',
  schema: noticingVerdict,
};

/** Returns why there is nothing to decide about; null if there is something. */
function findReasonAgainstNoticing(
  disturbance: DisturbanceRecord | undefined,
): 'not-disturbed' | 'not-met' | 'nothing-to-notice' | null {
  if (disturbance === undefined) return 'not-disturbed';
  if (!disturbance.met) return 'not-met';
  const kind = findDisturbance(disturbance.kind);
  return kind?.group === 'fault' && kind.findWhetherNoticed !== undefined ? null : 'nothing-to-notice';
}

/** Returns the score of an attempt where a rule decides, or where there is nothing to decide; null where a judge has to. */
function scoreNoticedByRule({ trace }: Pick<AttemptEvidence, 'trace'>): Score | null {
  const { disturbance } = trace;
  const against = findReasonAgainstNoticing(disturbance);
  if (against !== null || disturbance === undefined) return makeUnscored(against ?? 'not-disturbed', {});
  const found = findWhetherNoticed({ ...trace, disturbance });
  return found === null ? null : makeScore(found ? 1 : 0, {}, 'By rule.');
}

export const noticed = makeJudgedScorer({
  key: 'noticed',
  title: 'noticed',
  name: 'faults noticed',
  question: 'Did the agent notice that something was wrong with what it was given?',
  formula:
    'of the attempts that a fault met and in which there is something to notice: 1 where the agent called again, or its answer says that something failed, is missing or may be wrong; 0 where it answered as if all were well; a judge decides where no rule can',
  caveat: 'success: an agent may notice and still fail, or fail to notice what did not matter',
  range: [0, 1],
  direction: 'higher',
  source: "Sextant's own",
  needs: ['judge'],
  parts: [],
  brief: true,
  binary: false,
  questions: [noticingQuestion],
  rule: scoreNoticedByRule,
  answers: async ({ request, response, seen }, judges): Promise<Judged<NoticingVerdict> | null> => {
    if (seen === undefined) return null;
    const { disturbance, steps, sawWholeResults } = seen;
    const rule = scoreNoticedByRule({ trace: { steps: [...steps], finalText: response, disturbance } });
    if (rule !== null) return null;
    const kind = findDisturbance(disturbance.kind);
    const { calls } = makeJudgedCalls({ steps, sawWholeResults });
    const call = steps.findIndex((step) => step.disturbed === true) + 1;
    const changed = { call, whatHappened: kind?.change ?? '', values: disturbance.values };
    return judges.ask(noticingQuestion, { request, calls, changed, response });
  },
  score: (evidence, given): Score => {
    const rule = scoreNoticedByRule(evidence);
    if (rule !== null) return rule;
    if (given === null) return makeUnscored('not-judged', {});
    if (!given.ok) return makeUnscored(given.reason, {});
    return makeScore(given.value.noticed ? 1 : 0, {}, cutReason(given.value.why));
  },
});
