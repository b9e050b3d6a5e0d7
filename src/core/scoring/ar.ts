import { z } from 'zod';
import { cosineOrNull } from '#core/similarity/cosine.ts';
import { makeJudgedCalls } from './judged-calls.ts';
import { cutReason } from './kept-reason.ts';
import { defaultScoring, mostBackRequests, type ScoringParameters } from './parameters.ts';
import { makeJudgedScorer, type JudgedAttempt, type JudgeQuestion } from './scorer.ts';
import { makeScore, makeUnscored, type Judged, type Score } from './score.ts';

/** How faithful to the tools' results and how useful a response is. Rubric: SGVEF-Loop, appendix E, forward judge. */
export const relevanceAnswer = z.object({ why: z.string().max(2_000), score: z.number().min(0).max(1) });
type Relevance = z.infer<typeof relevanceAnswer>;

/** Requests that the response could answer, written without knowing the real one. */
const makeBackRequestsSchema = (count: number) =>
  z.object({ requests: z.array(z.string().min(1).max(4_000)).length(count) });

const backRequestAnswers = Array.from({ length: mostBackRequests }, (_, before) => makeBackRequestsSchema(before + 1));

/** Returns the schema of `count` requests written back; the same object each time. */
export function getBackRequestsSchemaOrThrow(count: number): ReturnType<typeof makeBackRequestsSchema> {
  const schema = backRequestAnswers[count - 1];
  if (schema === undefined) throw new RangeError(`no judge writes ${count} requests`);
  return schema;
}

const relevance: JudgeQuestion<Relevance> = {
  form: 'relevance',
  answerTokens: 1_000,
  prompt: 'judge-relevance',
  schema: relevanceAnswer,
};

const makeBackRequestsQuestion = (count: number): JudgeQuestion<{ requests: string[] }> => ({
  form: 'back-requests',
  answerTokens: 4_000,
  prompt: 'judge-back-requests',
  schema: getBackRequestsSchemaOrThrow(count),
});

export type ArParts = {
  /** The judge's grade, 0..1. */
  readonly judge: number | null;
  /** Cosines between the request and each derived request, -1..1. */
  readonly cosines: readonly number[] | null;
  /** False if the agent gave no response. */
  readonly answered: boolean;
};

/** Vectors of the request and of the derived requests, from one embedder. */
export interface RequestVectors {
  readonly request: readonly number[];
  readonly back: readonly (readonly number[])[];
}

/**
 * Returns the answer relevance of one attempt: the judge's grade, and the mean cosine between the request and requests
 * derived from the response, by default half and half. 0..1, except for embedders with negative cosines, which are not clipped. An
 * agent without a response (or with an empty one, for any reason) scores 0, and nobody is asked: there is nothing to
 * judge, and leaving it out would reward silence. Source: SGVEF-Loop, appendix B.2, equation 6.
 */
export const scoreAnswerRelevance = (
  response: string,
  judge: Judged<Relevance>,
  vectors: Judged<RequestVectors>,
  { judge: judgeWeight, backRequests }: ScoringParameters['ar'] = defaultScoring.ar,
): Score<ArParts> => {
  if (response.trim() === '')
    return makeScore(0, { judge: null, cosines: null, answered: false }, 'The agent gave no response.');
  const cosines = vectors.ok ? requestCosinesOrNull(vectors.value) : null;
  const parts = { judge: judge.ok ? judge.value.score : null, cosines, answered: true };
  if (!judge.ok) return makeUnscored(judge.reason, parts);
  if (!vectors.ok) return makeUnscored(vectors.reason, parts);
  if (vectors.value.back.length !== backRequests) return makeUnscored('judge-unparsed', parts);
  if (cosines === null) return makeUnscored('embedding-unusable', parts);
  const alike = cosines.reduce((sum, each) => sum + each, 0) / cosines.length;
  return makeScore(
    judgeWeight * judge.value.score + (1 - judgeWeight) * alike,
    parts,
    `Requests written back from the response have a mean cosine of ${alike.toFixed(3)} to the request. The judge gave ${judge.value.score}: ${cutReason(judge.value.why)}`,
  );
};

const requestCosinesOrNull = ({ request, back }: RequestVectors): number[] | null => {
  const cosines = back.map((vector) => cosineOrNull(request, vector)).filter((value) => value !== null);
  return cosines.length === back.length ? cosines : null;
};

/** The answers of judge and embedder; nobody is asked about an attempt without a response. */
interface ArAnswers {
  readonly judge: Judged<Relevance>;
  readonly vectors: Judged<RequestVectors>;
}

const silent = { ok: false, reason: 'judges-off' } as const;

export const ar = makeJudgedScorer({
  key: 'ar',
  title: 'AR',
  name: 'answer relevance',
  question: 'Does the response answer the request, and keep to what the tools returned?',
  formula:
    'the grade of a judge and the mean cosine of the request to requests written back from the response; half and half, and three requests, unless chosen otherwise',
  caveat:
    'truth: half of it is how near the response is to the request, which a response that repeats the request wins',
  range: [-0.5, 1],
  direction: 'higher',
  source: 'SGVEF-Loop, appendix B.2, equation 6',
  needs: ['judge'],
  parts: [
    { key: 'judge', title: 'grade', name: 'grade of the judge' },
    { key: 'cosines', title: 'cosine', name: 'mean cosine of the request to requests written back from the response' },
  ],
  brief: false,
  binary: false,
  questions: [relevance, makeBackRequestsQuestion(defaultScoring.ar.backRequests)],
  answers: async (attempt: JudgedAttempt, judges): Promise<ArAnswers> => {
    const { request, response, scoring } = attempt;
    if (response.trim() === '') return { judge: silent, vectors: silent };
    const count = scoring.ar.backRequests;
    const [judge, vectors] = await Promise.all([
      judges.ask(relevance, { request, response, ...makeJudgedCalls(attempt) }),
      judges
        .ask(makeBackRequestsQuestion(count), { response, count })
        .then(async (back): Promise<Judged<RequestVectors>> => {
          if (!back.ok) return back;
          const embedded = await judges.embed([request, ...back.value.requests]);
          if (!embedded.ok) return embedded;
          const [first = [], ...others] = embedded.value;
          return { ok: true, value: { request: first, back: others } };
        }),
    ]);
    return { judge, vectors };
  },
  score: ({ trace, scoring }, { judge, vectors }) => scoreAnswerRelevance(trace.finalText, judge, vectors, scoring.ar),
});
