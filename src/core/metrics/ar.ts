import { cosine } from './cosine.ts';
import { scored, unscored, type Judged, type Score } from './score.ts';

/** Weight of the judge's grade against the mean cosine. */
export const AR_JUDGE_WEIGHT = 0.5;

/** Requests that are written back from a response. */
export const BACK_REQUESTS = 3;

export interface ArParts {
  /** The judge's grade, 0..1. */
  readonly judge: number | null;
  /** Cosine of the request to each request written back, -1..1. */
  readonly cosines: readonly number[] | null;
  /** False where the agent gave no response. */
  readonly answered: boolean;
}

/** The vectors of the request and of the requests written back from the response, of one embedder. */
export interface RequestVectors {
  readonly request: readonly number[];
  readonly back: readonly (readonly number[])[];
}

/**
 * Answer relevance of one attempt: the judge's grade and the mean cosine between the request and three requests written
 * back from the response. 0..1 but for embedders whose unlike texts have negative cosines, which are not cut off.
 *
 * An agent that gave no response (an empty one, whatever it ran into) scores 0, and nobody is asked: there is nothing to judge or
 * to write back from, and to leave it out would reward silence. Source: SGVEF-Loop, appendix B.2, equation 6.
 */
export const answerRelevance = (
  response: string,
  judge: Judged<number>,
  vectors: Judged<RequestVectors>,
  judgeWeight: number = AR_JUDGE_WEIGHT,
): Score<ArParts> => {
  if (response.trim() === '') return scored(0, { judge: null, cosines: null, answered: false });
  const cosines = vectors.ok ? cosinesOf(vectors.value) : null;
  const parts = { judge: judge.ok ? judge.value : null, cosines, answered: true };
  if (!judge.ok) return unscored(judge.reason, parts);
  if (!vectors.ok) return unscored(vectors.reason, parts);
  if (vectors.value.back.length !== BACK_REQUESTS) return unscored('judge-unparsed', parts);
  if (cosines === null) return unscored('embedding-unusable', parts);
  const alike = cosines.reduce((sum, each) => sum + each, 0) / cosines.length;
  return scored(judgeWeight * judge.value + (1 - judgeWeight) * alike, parts);
};

const cosinesOf = ({ request, back }: RequestVectors): number[] | null => {
  const cosines = back.map((vector) => cosine(request, vector)).filter((value) => value !== null);
  return cosines.length === back.length ? cosines : null;
};
