import { perCase } from './per-case.ts';
import type { CaseEvidence, ScoreOf } from './scorer.ts';
import type { Score } from './score.ts';
import { byScorer, scorerOf, type AttemptScorerKey, type ScorerKey } from './scorers.ts';

/** The facts that score a case, with the scores of its attempts by request. */
export interface ScoredCase extends Omit<CaseEvidence, 'scoreOf'> {
  readonly attempts: Readonly<Record<string, Readonly<Record<AttemptScorerKey, Score>>>>;
}

/** Returns the scores of a case whose attempts were all evaluated. */
export function caseScores({ attempts, called, categories }: ScoredCase): Record<ScorerKey, Score> {
  const known = new Map<string, Score>();
  const scoreOf: ScoreOf = ({ key }) => {
    const score = known.get(key) ?? computed(key);
    known.set(key, score);
    return score;
  };
  const computed = (key: string): Score => {
    const scorer = scorerOf(key);
    return scorer.unit === 'case'
      ? scorer.score({ called, categories, scoreOf })
      : perCase(Object.fromEntries(Object.entries(attempts).map(([name, scores]) => [name, scoreIn(scores, key)])));
  };
  return byScorer((key) => scoreOf({ key }));
}

function scoreIn(scores: Readonly<Record<string, Score>>, key: string): Score {
  const found = scores[key];
  if (found === undefined) throw new Error(`an attempt has no score ${key}`);
  return found;
}
