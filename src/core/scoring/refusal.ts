import { z } from 'zod';
import type { AttemptEvidence, JudgeQuestion, MemberAnswer } from './scorer.ts';
import { makeJudgedScorer } from './scorer.ts';
import { cutReason } from './kept-reason.ts';
import { makeScore, makeUnscored, type Judged, type Score } from './score.ts';
import { majorityVerdict, makeVotes } from './votes.ts';

const refusalVerdict = z.object({ why: z.string().max(2_000), refused: z.boolean() });
export type RefusalVerdict = z.infer<typeof refusalVerdict>;

const refusalQuestion: JudgeQuestion<RefusalVerdict> = {
  form: 'refusal',
  answerTokens: 1_000,
  prompt: 'judge-refusal',
  schema: refusalVerdict,
};

export type RefusalParts = {
  /** Calls of any tool, failed ones and those of tools that do not exist among them. */
  readonly calls: number;
  /** False if the agent gave no response. */
  readonly answered: boolean;
};

/** What an agent did and answered where no tool fits. */
interface Made {
  readonly calls: number;
  readonly response: string;
}

/** Returns why an attempt cannot be a refusal, without a judge: it called a tool, or has no answer. Null if only a judge can tell. */
function findReasonAgainstRefusal({ calls, response }: Made): string | null {
  if (calls > 0) return `The agent made ${calls === 1 ? 'a call' : `${calls} calls`}, and no tool fits.`;
  return response.trim() === '' ? 'The agent gave no answer.' : null;
}

/**
 * Returns whether an attempt at a request that no tool fits was right to do nothing, 1 or 0: no call was made, of whatever tool, and by the
 * majority of the judges the answer says that it cannot be done. A call or a missing answer fails by rule, but only where judges
 * decide about the others. Without a usable verdict it is unscored, never 0.
 */
export function scoreRefusal(
  { trace }: Pick<AttemptEvidence, 'trace'>,
  given: Judged<readonly MemberAnswer<RefusalVerdict>[]>,
): Score<RefusalParts> {
  const made = { calls: trace.steps.length, response: trace.finalText };
  const parts = { calls: made.calls, answered: trace.finalText.trim() !== '' };
  if (!given.ok) return makeUnscored(given.reason, parts);
  const against = findReasonAgainstRefusal(made);
  if (against !== null) return makeScore(0, parts, against);
  const [only, ...others] = given.value;
  const majority = majorityVerdict(given.value.map(({ answer }) => (answer.ok ? answer.value.refused : null)));
  const leading = given.value.find(({ answer }) => answer.ok && answer.value.refused === majority)?.answer;
  const votes =
    others.length === 0 ? {} : { votes: makeVotes(given.value, ({ refused, why }) => ({ verdict: refused, why })) };
  if (leading?.ok === true)
    return { ...makeScore(leading.value.refused ? 1 : 0, parts, cutReason(leading.value.why)), ...votes };
  const reason = only === undefined || others.length > 0 || only.answer.ok ? 'undecided' : only.answer.reason;
  return { ...makeUnscored(reason, parts), ...votes };
}

export const refusal = makeJudgedScorer({
  key: 'refusal',
  title: 'refusal',
  name: 'refusal where no tool fits',
  question: 'Where no tool fits, did the agent call none and say so?',
  formula:
    'of negative units alone: 1 where no call was made and, by the verdict of a judge or of the majority of a panel, the answer says that it cannot be done; else 0; a case has 1 if all of its attempts have',
  caveat: 'a share of solved tasks: an agent that refuses everything has 1, and no success',
  range: [0, 1],
  direction: 'higher',
  source: 'ours, after irrelevance detection of the Berkeley Function Calling Leaderboard, and When2Call (2025)',
  needs: ['judge'],
  parts: [
    { key: 'calls', title: 'calls', name: 'calls of an attempt where no tool fits' },
    { key: 'answered', title: 'answered', name: 'share of attempts with an answer' },
  ],
  brief: false,
  binary: true,
  questions: [refusalQuestion],
  answers: async ({ request, response, steps }, judges): Promise<Judged<readonly MemberAnswer<RefusalVerdict>[]>> => ({
    ok: true,
    value:
      findReasonAgainstRefusal({ calls: steps.length, response }) === null
        ? await judges.askPanel(refusalQuestion, { request, response })
        : [],
  }),
  score: scoreRefusal,
});
