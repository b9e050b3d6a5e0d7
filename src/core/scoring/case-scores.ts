import { meanScoreOverAttempts } from './means.ts';
import type { CaseEvidence, ScoreOf } from './scorer.ts';
import type { Score } from './score.ts';
import { buildByScorer, getScorer, type AttemptScorerKey, type ScorerKey } from './scorers.ts';

/** The facts that score a case, with the scores of its attempts by request. */
export interface ScoredCase extends Omit<CaseEvidence, 'scoreOf'> {
  readonly attempts: Readonly<Record<string, Readonly<Record<AttemptScorerKey, Score>>>>;
}

/** Returns the scores of a case whose attempts were all evaluated. */
export function caseScores({ attempts, called, categories }: ScoredCase): Record<ScorerKey, Score> {
  const known = new Map<string, Score>();
  const scoreOf: ScoreOf = ({ key }) => {
    const score = known.get(key) ?? computeScore(key);
    known.set(key, score);
    return score;
  };
  const computeScore = (key: string): Score => {
    const scorer = getScorer(key);
    return scorer.unit === 'case'
      ? scorer.score({ called, categories, scoreOf })
      : meanScoreOverAttempts(
          Object.fromEntries(Object.entries(attempts).map(([name, scores]) => [name, getScoreOrThrow(scores, key)])),
        );
  };
  return buildByScorer((key) => scoreOf({ key }));
}

function getScoreOrThrow(scores: Readonly<Record<string, Score>>, key: string): Score {
  const found = scores[key];
  if (found === undefined) throw new Error(`an attempt has no score ${key}`);
  return found;
}
