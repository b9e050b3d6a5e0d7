import type { AttemptEvidence, Grading, JudgedAttempt, Judges, ScoreOf } from '#core/scoring/scorer.ts';
import { defaultScoring } from '#core/scoring/parameters.ts';
import { findReasonAgainstScoring } from '#core/scoring/negative-scores.ts';
import { makeUnscored, type Score } from '#core/scoring/score.ts';
import { areReadTogether, readAttemptOnce } from '#core/scoring/attempt-reading.ts';
import { attemptScorers, isRecomputable, type AttemptScorerKey, type ScorerKey } from './scorers.ts';

/** The facts that score an attempt, without its other scores; with the default parameters if it names none. */
export type AttemptTrace = Omit<AttemptEvidence, 'scoreOf' | 'scoring'> & Partial<Pick<AttemptEvidence, 'scoring'>>;

/** The known scores of an attempt. */
export type AttemptScores = Partial<Record<AttemptScorerKey, Score>>;

/** How some scorers score after their judges were asked. */
export type Gradings = ReadonlyMap<AttemptScorerKey, Grading>;

const judged = attemptScorers.filter((scorer) => !isRecomputable(scorer));
const measures: Gradings = new Map(
  attemptScorers.flatMap(({ key, measure }) => (measure === null ? [] : [[key, measure] as const])),
);

/** The scorers whose scores follow from a trace only. */
export const measuredKeys: readonly AttemptScorerKey[] = attemptScorers.filter(isRecomputable).map(({ key }) => key);

/** The scorers that wait for a judge, their own or another scorer's. */
export const judgedKeys: readonly AttemptScorerKey[] = judged.map(({ key }) => key);

/** Returns the scores that need no judge. */
export const computeScoresWithoutJudge = (attempt: AttemptTrace): AttemptScores =>
  computeScoresOfKeys(measuredKeys, attempt, measures);

/** Returns the scores of judged scorers with these keys that need no judge for this attempt. */
export function computeRuleScoresOfJudgedScorers(attempt: AttemptTrace, asked: readonly ScorerKey[]): AttemptScores {
  const { scoreOf } = makeCachedScoreOf(attempt, measures);
  const scores: AttemptScores = {};
  for (const { key, rule } of judged.filter((scorer) => asked.includes(scorer.key))) {
    const against = findReasonAgainstScoring(key, attempt.isNegative === true);
    const score =
      against === null ? rule?.({ scoring: defaultScoring, ...attempt, scoreOf }) : makeUnscored(against, {});
    if (score !== undefined && score !== null) scores[key] = score;
  }
  return scores;
}

/**
 * Asks the judges everything that the scorers with these keys ask about one attempt, in parallel. If several of them want to know
 * what one reading of the attempt tells, it is read once for all.
 */
export async function askJudgesForGradings(
  { scoring = defaultScoring, ...attempt }: Omit<JudgedAttempt, 'scoring'> & Partial<Pick<JudgedAttempt, 'scoring'>>,
  judges: Judges,
  asked: readonly ScorerKey[],
): Promise<Gradings> {
  const isNegative = attempt.isNegative === true;
  const shown = { ...attempt, scoring };
  const asking = judged
    .filter(({ key }) => asked.includes(key))
    .map(({ key, grade }) => ({ key, grade, against: findReasonAgainstScoring(key, isNegative) }));
  const scored = asking.flatMap(({ key, against }) => (against === null ? [key] : []));
  const asker = areReadTogether(scored) ? readAttemptOnce(shown, judges) : judges;
  return new Map(
    await Promise.all(
      asking.map(async ({ key, grade, against }) =>
        against === null
          ? ([key, await grade(shown, asker)] as const)
          : ([key, () => makeUnscored(against, {})] as const),
      ),
    ),
  );
}

/**
 * Returns the scores that waited for judges, and all others too if a judge overruled a reported error, because its call
 * counted as failed until then.
 */
export const scoresChangedByJudging = (attempt: AttemptTrace, gradings: Gradings): AttemptScores => {
  const isChanged = attempt.trace.steps.some(({ reported }) => reported?.judged === 'overruled');
  const graded = [...gradings.keys()];
  const keys = isChanged ? [...measuredKeys, ...graded] : graded;
  return computeScoresOfKeys(keys, attempt, new Map([...measures, ...gradings]));
};

function computeScoresOfKeys(
  keys: readonly AttemptScorerKey[],
  attempt: AttemptTrace,
  gradings: Gradings,
): AttemptScores {
  const { scoreOf } = makeCachedScoreOf(attempt, gradings);
  const scores: AttemptScores = {};
  for (const key of keys) scores[key] = scoreOf({ key });
  return scores;
}

/** Finds the scores of an attempt, each computed once. */
function makeCachedScoreOf(attempt: AttemptTrace, gradings: Gradings): { readonly scoreOf: ScoreOf } {
  const known = new Map<string, Score>();
  const byKey = new Map<string, Grading>(gradings);
  const scoreOf: ScoreOf = ({ key }) => {
    const against = findReasonAgainstScoring(key, attempt.isNegative === true);
    if (against !== null) return makeUnscored(against, {});
    const grading = byKey.get(key);
    if (grading === undefined) throw new Error(`an attempt has no score ${key}`);
    const score = known.get(key) ?? grading({ scoring: defaultScoring, ...attempt, scoreOf });
    known.set(key, score);
    return score;
  };
  return { scoreOf };
}
