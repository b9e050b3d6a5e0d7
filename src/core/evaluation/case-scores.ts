import { areScoresOfNegativeUnit } from '#core/scoring/negative-scores.ts';
import { meanScoreOverAttempts, minScoreOverAttempts } from '#core/scoring/means.ts';
import { defaultScoring, type ScoringParameters } from '#core/scoring/parameters.ts';
import type { CaseEvidence, ScoreOf } from '#core/scoring/scorer.ts';
import { getScoreOrThrow, makeUnscored, type Score } from '#core/scoring/score.ts';
import { buildRecordByScorer, getScorerOrThrow, type AttemptScorerKey, type ScorerKey } from './scorers.ts';

/** The facts that score a case, with the scores of its attempts by request. */
export interface ScoredCase extends Omit<CaseEvidence, 'scoreOf' | 'scoring'> {
  /** The default parameters if it names none. */
  readonly scoring?: ScoringParameters | undefined;
  readonly attempts: Readonly<Record<string, Readonly<Record<AttemptScorerKey, Score>>>>;
}

/** Returns the scores of a case whose attempts were all evaluated. No scorer of whole cases says anything where no tool fits. */
export function computeAllScoresOfCase({
  attempts,
  called,
  categories,
  scoring = defaultScoring,
}: ScoredCase): Record<ScorerKey, Score> {
  const isNegative = Object.values(attempts).some(areScoresOfNegativeUnit);
  const known = new Map<string, Score>();
  const scoreOf: ScoreOf = ({ key }) => {
    const score = known.get(key) ?? computeScore(key);
    known.set(key, score);
    return score;
  };
  const computeScore = (key: string): Score => {
    const scorer = getScorerOrThrow(key);
    if (scorer.unit === 'case' && isNegative) return makeUnscored('no-tool-fits', {});
    if (scorer.unit === 'case') return scorer.score({ scoring, called, categories, scoreOf });
    const own = Object.fromEntries(
      Object.entries(attempts).map(([name, scores]) => [name, getScoreOrThrow(scores, key)]),
    );
    return scorer.binary ? minScoreOverAttempts(own) : meanScoreOverAttempts(own);
  };
  return buildRecordByScorer((key) => scoreOf({ key }));
}
