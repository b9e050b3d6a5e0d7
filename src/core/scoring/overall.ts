import { callSuccess } from './call-success.ts';
import { rubric } from './rubric.ts';
import { makeCaseScorer, type ScoreOf } from './scorer.ts';
import { makeScore, makeUnscored, type Score, type UnscoredReason } from './score.ts';
import { validArguments } from './valid-arguments.ts';
import { validNames } from './valid-names.ts';

/** The three axes of the rubric and the one of the rules. */
const axes = 4;

export type OverallParts = {
  /** Mean of the three shares of calls, 0..1; a share without calls is 0. */
  readonly rules: number | null;
  /** Mean of the rubric's axes, 0.1..1. */
  readonly judged: number | null;
  /** The score for the concrete request, and for the fuzzy one; null without such a request. */
  readonly request: number | null;
  readonly fuzzy: number | null;
};

/**
 * Returns what an agent's work on a case is worth, 0..1: the mean of four axes, the rules (the mean of valid names, valid arguments and call
 * success) and the three of the rubric; then the mean over the requests. The paper prints no formula; its repository's README says that
 * the overall score is the average over these dimensions. An attempt without calls has 0 by the rules, because these tasks
 * cannot be done without. Unscored if a part is, for another reason than that there were no calls.
 */
export function scoreOverall(scoreOf: ScoreOf): Score<OverallParts> {
  const judged = scoreOf(rubric);
  const rules = [validNames, validArguments, callSuccess].map((scorer) => scoreOf(scorer));
  const empty = { rules: null, judged: judged.value, request: null, fuzzy: null };
  if (judged.value === null) return makeUnscored(judged.reason, empty);
  const gap = rules.map(gapReasonOrNull).find((reason) => reason !== null);
  if (gap !== undefined) return makeUnscored(gap, empty);
  const shares = Object.entries(judged.parts).flatMap(([request, mark]) =>
    typeof mark === 'number'
      ? [{ request, mark, rule: mean(rules.map(({ parts }) => numberOrZero(parts[request]))) }]
      : [],
  );
  const overall = shares.map(({ request, mark, rule }) => ({ request, value: (rule + (axes - 1) * mark) / axes }));
  const ofRequest = (wanted: string): number | null => overall.find(({ request }) => request === wanted)?.value ?? null;
  return makeScore(mean(overall.map(({ value }) => value)), {
    rules: mean(shares.map(({ rule }) => rule)),
    judged: judged.value,
    request: ofRequest('request'),
    fuzzy: ofRequest('fuzzy'),
  });
}

/** Returns why a share is missing, other than that there were no calls. */
const gapReasonOrNull = (score: Score): UnscoredReason | null =>
  score.value !== null || score.reason === 'no-calls' ? null : score.reason;

const numberOrZero = (value: unknown): number => (typeof value === 'number' ? value : 0);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export const overall = makeCaseScorer({
  key: 'overall',
  title: 'overall',
  name: 'overall score of MCP-Bench',
  question: 'How well did the agent work by rules and rubric together?',
  formula: `the mean of four axes: the mean of ${validNames.title}, ${validArguments.title} and ${callSuccess.title}, and the three axes of the rubric; then the mean over the requests`,
  caveat: 'a share of solved tasks: a quarter of it is won by any calls of the right form',
  range: [0, 1],
  direction: 'higher',
  source: "MCP-Bench, section 6.1, by its repository's README; the paper prints no formula",
  needs: ['judge'],
  parts: [
    { key: 'rules', title: 'rules', name: 'mean of the shares of valid names, valid arguments and successful calls' },
    { key: 'judged', title: 'rubric', name: "mean of the rubric's three axes" },
    { key: 'request', title: 'concrete', name: 'overall score for the concrete request' },
    { key: 'fuzzy', title: 'fuzzy', name: 'overall score for the fuzzy request' },
  ],
  brief: true,
  binary: false,
  score: ({ scoreOf }) => scoreOverall(scoreOf),
});
