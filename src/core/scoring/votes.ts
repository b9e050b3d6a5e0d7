import { cutReason } from './kept-reason.ts';
import type { MemberAnswer } from './scorer.ts';
import type { Vote } from './score.ts';

/** What a judge says of an attempt: success or not; null if its answer cannot be used, or if judges are undecided. */
export type Verdict = boolean | null;

/** Maximum members of a panel: the evaluation's judge and those beside it. */
export const maxPanel = 5;

/** Returns what most judges say of an attempt, of those whose verdict can be used; null without a majority. */
export function majorityVerdict(verdicts: readonly Verdict[]): Verdict {
  const yes = verdicts.filter((verdict) => verdict === true).length;
  const no = verdicts.filter((verdict) => verdict === false).length;
  return yes === no ? null : yes > no;
}

/** Returns a name for each member of a panel, by which its votes are attributed: its model, numbered where it repeats. */
export function namePanelMembers(models: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return models.map((model) => {
    const place = (seen.get(model) ?? 0) + 1;
    seen.set(model, place);
    return place === 1 ? model : `${model}#${place}`;
  });
}

/** Returns the votes of a panel as a score keeps them. */
export const makeVotes = <Answer>(
  answers: readonly MemberAnswer<Answer>[],
  read: (answer: Answer) => { readonly verdict: boolean; readonly why: string },
): Vote[] =>
  answers.map(({ judge, answer }) => {
    if (!answer.ok) return { judge, verdict: null, reason: answer.reason, why: '' };
    const { verdict, why } = read(answer.value);
    return { judge, verdict, reason: null, why: cutReason(why) };
  });
