import { z } from 'zod';
import type { Check, CheckResult } from '#core/traces/checks/check.ts';
import { hasFailed, hasSucceeded } from '#core/traces/step-outcome.ts';
import type { Step } from '#core/traces/trace.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { chain } from './chain.ts';
import { cutReason } from './kept-reason.ts';
import { makeJudgedScorer, type AttemptEvidence, type JudgeQuestion, type MemberAnswer } from './scorer.ts';
import { makeScore, makeUnscored, type Judged, type Score } from './score.ts';
import { majorityVerdict, makeVotes } from './votes.ts';

/** A judge's verdict, its reason first. */
const outcomeVerdict = z.object({ why: z.string().max(2_000), agrees: z.boolean() });
export type OutcomeVerdict = z.infer<typeof outcomeVerdict>;

const outcomeQuestion: JudgeQuestion<OutcomeVerdict> = {
  form: 'outcome',
  answerTokens: 1_000,
  prompt: 'judge-outcome',
  schema: outcomeVerdict,
};

export type OutcomeParts = {
  /** Whether a judge decided, or was to decide: the unit has a right answer and no checks, and the response is not blank. */
  readonly judged: boolean;
  /** Whether each check held, in their order; null if a judge decides, or a check could not be carried out. */
  readonly held: readonly boolean[] | null;
  /** Why each check held or not. */
  readonly reasons: readonly string[] | null;
  /** Calls of tools that do not exist. */
  readonly unknownTools: number;
  /** Calls with the tool and the arguments of a call that failed in an earlier turn. */
  readonly repeatedFailures: number;
  /** Whether the conversation became too long for the model. */
  readonly overflow: boolean;
  /** Whether the endpoint took fewer functions than there were tools, so that the tools were described in the prompt. */
  readonly fellBack: boolean;
  /** Whether it has the outcome without having completed the chain; null without the outcome, or without a chain. */
  readonly alternative: boolean | null;
  /** Whether it has the outcome although no call succeeded; null without the outcome. */
  readonly fromMemory: boolean | null;
};

/** A value with the reason for it, or why there is none. */
type Decision = Judged<{ readonly value: 0 | 1; readonly why: string }>;

/**
 * Returns whether all checks held, 1 or 0: one that did not hold decides, whatever became of the others. Otherwise one that
 * could not be carried out leaves it unscored.
 */
export function decideByChecks(checks: readonly Check[], results: readonly CheckResult[] | undefined): Decision {
  if (results?.length !== checks.length) return { ok: false, reason: 'checks-not-run' };
  const failed = results.findIndex(({ held }) => held === false);
  if (failed >= 0) return makeDecision(0, `Check ${failed + 1} does not hold: ${results[failed]?.why ?? ''}`);
  return results.some(({ held }) => held === null)
    ? { ok: false, reason: 'checks-not-run' }
    : makeDecision(1, checks.length === 1 ? 'The check holds.' : `All ${checks.length} checks hold.`);
}

/** Returns what the unit decides without a judge: its checks, or that it states no truth; null if it has a right answer. */
function decideWithoutJudgeOrNull({ truth, trace }: Pick<AttemptEvidence, 'truth' | 'trace'>): Decision | null {
  if (truth?.checks !== undefined) return decideByChecks(truth.checks, trace.checks);
  return truth?.truth === undefined ? { ok: false, reason: 'no-truth' } : null;
}

/**
 * Returns the decision where judges are asked. They are not asked about a blank response, which agrees with nothing; without judges it
 * stays unscored with all others, because a mean of blank responses alone would be 0 for everybody.
 */
function decideWithJudges(trace: AttemptEvidence['trace'], answers: readonly MemberAnswer<OutcomeVerdict>[]): Decision {
  return trace.finalText.trim() === '' ? makeDecision(0, 'The agent gave no answer.') : decideByPanel(answers);
}

const makeDecision = (value: 0 | 1, why: string): Decision => ({ ok: true, value: { value, why } });

/** Returns the verdict of most members whose answer can be used; one member decides alone. */
function decideByPanel(answers: readonly MemberAnswer<OutcomeVerdict>[]): Decision {
  const [only, ...others] = answers;
  const majority = majorityVerdict(answers.map(({ answer }) => (answer.ok ? answer.value.agrees : null)));
  const leading = answers.find(({ answer }) => answer.ok && answer.value.agrees === majority)?.answer;
  if (leading?.ok === true) return makeDecision(leading.value.agrees ? 1 : 0, leading.value.why);
  return only === undefined || others.length > 0 || only.answer.ok ? { ok: false, reason: 'undecided' } : only.answer;
}

function makeOutcomeScoreFromDecision(
  evidence: AttemptEvidence,
  decision: Decision,
  judged: boolean,
): Score<OutcomeParts> {
  const { trace } = evidence;
  const isRight = decision.ok && decision.value.value === 1;
  const chainValue = evidence.scoreOf(chain).value;
  const results = trace.checks ?? null;
  const parts: OutcomeParts = {
    judged,
    held:
      results === null || results.some(({ held }) => held === null) ? null : results.map(({ held }) => held === true),
    reasons: results === null ? null : results.map(({ why }) => why),
    unknownTools: trace.steps.filter(isOfUnknownTool).length,
    repeatedFailures: countRepeatedFailures(trace.steps),
    overflow: trace.overflowed === true,
    fellBack: trace.fellBack !== undefined,
    alternative: isRight && chainValue !== null ? chainValue === 0 : null,
    fromMemory: isRight ? !trace.steps.some(hasSucceeded) : null,
  };
  return decision.ok
    ? makeScore(decision.value.value, parts, cutReason(decision.value.why))
    : makeUnscored(decision.reason, parts);
}

/** Counts the calls that try again, letter by letter, what failed in an earlier turn. */
function countRepeatedFailures(steps: readonly Step[]): number {
  const failedIn = new Map<string, number>();
  let repeated = 0;
  for (const step of steps) {
    const call = canonicalJson([step.tool, step.arguments]);
    const turn = failedIn.get(call);
    if (turn !== undefined && turn < step.turn) repeated += 1;
    if (turn === undefined && hasFailed(step)) failedIn.set(call, step.turn);
  }
  return repeated;
}

const isOfUnknownTool = ({ failure }: Step): boolean => failure?.source === 'rule' && failure.rule === 'unknown-tool';

export const outcome = makeJudgedScorer({
  key: 'outcome',
  title: 'outcome',
  name: 'outcome',
  question: 'Is the answer the right one, or what was to be done, done?',
  formula:
    "1 if all of the unit's checks hold, else 0; without checks the verdict of a judge, or of the majority of a panel, on whether the response agrees with the unit's right answer, 1 or 0",
  caveat:
    'work with tools: any way to the outcome counts, knowledge that no tool gave among them; `from memory` says how often that was so',
  range: [0, 1],
  direction: 'higher',
  source: 'MCPVerse (2025), section 3.5',
  needs: ['truth', 'judge'],
  parts: [
    { key: 'held', title: 'checks held', name: 'share of the checks that held' },
    { key: 'unknownTools', title: 'unknown tools', name: 'calls of an attempt to tools that do not exist' },
    { key: 'repeatedFailures', title: 'repeated failures', name: 'calls that repeat a failed call of the attempt' },
    { key: 'overflow', title: 'overflow', name: "share of attempts that became too long for the model's context" },
    { key: 'fellBack', title: 'fell back', name: 'share of attempts whose endpoint takes too few functions' },
    { key: 'alternative', title: 'other path', name: 'share of right outcomes without the chain' },
    { key: 'fromMemory', title: 'from memory', name: 'share of right outcomes without a successful call' },
  ],
  brief: true,
  binary: true,
  questions: [outcomeQuestion],
  rule: (evidence) => {
    const decision = decideWithoutJudgeOrNull(evidence);
    return decision === null ? null : makeOutcomeScoreFromDecision(evidence, decision, false);
  },
  answers: async ({ truth, request, response }, judges): Promise<readonly MemberAnswer<OutcomeVerdict>[]> =>
    truth?.truth === undefined || truth.checks !== undefined || response.trim() === ''
      ? []
      : judges.askPanel(outcomeQuestion, { request, truth: truth.truth, response }),
  score: (evidence, answers) => {
    const byRule = decideWithoutJudgeOrNull(evidence);
    const judged = byRule === null && evidence.trace.finalText.trim() !== '';
    const score = makeOutcomeScoreFromDecision(evidence, byRule ?? decideWithJudges(evidence.trace, answers), judged);
    return answers.length < 2
      ? score
      : { ...score, votes: makeVotes(answers, ({ agrees, why }) => ({ verdict: agrees, why })) };
  },
});
