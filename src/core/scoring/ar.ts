import { z } from 'zod';
import { cosine } from './cosine.ts';
import { makeJudgedScorer, type JudgedAttempt, type JudgeQuestion } from './scorer.ts';
import { makeScore, makeUnscored, type Judged, type Score } from './score.ts';

/** Weight of the judge's grade relative to the mean cosine. */
const judgeWeight = 0.5;

/** Number of requests derived from a response. */
export const backRequestCount = 3;

/** Characters of a tool's result that the judge sees. */
const shownChars = 1_500;

/** How faithful to the tools' results and how useful a response is. Rubric: SGVEF-Loop, appendix E, forward judge. */
export const relevanceAnswer = z.object({ score: z.number().min(0).max(1), why: z.string().max(2_000) });

/** Requests that the response could answer, written without knowing the real one. */
export const backRequestsAnswer = z.object({
  requests: z.array(z.string().min(1).max(4_000)).length(backRequestCount),
});

const relevance: JudgeQuestion<z.infer<typeof relevanceAnswer>> = {
  form: 'relevance',
  prompt: 'judge-relevance',
  schema: relevanceAnswer,
};

const backRequests: JudgeQuestion<z.infer<typeof backRequestsAnswer>> = {
  form: 'back-requests',
  prompt: 'judge-back-requests',
  schema: backRequestsAnswer,
};

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
 * Returns the answer relevance of one attempt: half the judge's grade, half the mean cosine between the request and
 * three requests derived from the response. 0..1, except for embedders with negative cosines, which are not clipped. An
 * agent without a response (or with an empty one, for any reason) scores 0, and nobody is asked: there is nothing to
 * judge, and leaving it out would reward silence. Source: SGVEF-Loop, appendix B.2, equation 6.
 */
export const answerRelevance = (
  response: string,
  judge: Judged<number>,
  vectors: Judged<RequestVectors>,
): Score<ArParts> => {
  if (response.trim() === '')
    return makeScore(0, { judge: null, cosines: null, answered: false }, 'The agent gave no response.');
  const cosines = vectors.ok ? cosinesOf(vectors.value) : null;
  const parts = { judge: judge.ok ? judge.value : null, cosines, answered: true };
  if (!judge.ok) return makeUnscored(judge.reason, parts);
  if (!vectors.ok) return makeUnscored(vectors.reason, parts);
  if (vectors.value.back.length !== backRequestCount) return makeUnscored('judge-unparsed', parts);
  if (cosines === null) return makeUnscored('embedding-unusable', parts);
  const alike = cosines.reduce((sum, each) => sum + each, 0) / cosines.length;
  return makeScore(
    judgeWeight * judge.value + (1 - judgeWeight) * alike,
    parts,
    `The judge gave ${judge.value}; requests written back from the response have a mean cosine of ${alike.toFixed(3)} to the request.`,
  );
};

const cosinesOf = ({ request, back }: RequestVectors): number[] | null => {
  const cosines = back.map((vector) => cosine(request, vector)).filter((value) => value !== null);
  return cosines.length === back.length ? cosines : null;
};

/** The answers of judge and embedder; nobody is asked about an attempt without a response. */
interface ArAnswers {
  readonly judge: Judged<number>;
  readonly vectors: Judged<RequestVectors>;
}

const silent = { ok: false, reason: 'judges-off' } as const;

export const ar = makeJudgedScorer({
  key: 'ar',
  title: 'AR',
  name: 'answer relevance',
  question: 'Does the response answer the request, and keep to what the tools returned?',
  formula:
    'half the grade of a judge, half the mean cosine of the request to three requests written back from the response',
  range: [-0.5, 1],
  direction: 'higher',
  source: 'SGVEF-Loop, appendix B.2, equation 6',
  needs: ['judge'],
  brief: false,
  binary: false,
  questions: [relevance, backRequests],
  answers: async ({ request, response, steps }: JudgedAttempt, judges): Promise<ArAnswers> => {
    if (response.trim() === '') return { judge: silent, vectors: silent };
    const outputs = steps.map(({ tool, outcome, text }) => ({ tool, outcome, text: text.slice(0, shownChars) }));
    const [grade, vectors] = await Promise.all([
      judges.ask(relevance, { request, response, outputs }),
      judges.ask(backRequests, { response }).then(async (back): Promise<Judged<RequestVectors>> => {
        if (!back.ok) return back;
        const embedded = await judges.embed([request, ...back.value.requests]);
        if (!embedded.ok) return embedded;
        const [first = [], ...others] = embedded.value;
        return { ok: true, value: { request: first, back: others } };
      }),
    ]);
    return { judge: grade.ok ? { ok: true, value: grade.value.score } : grade, vectors };
  },
  score: ({ trace }, { judge, vectors }) => answerRelevance(trace.finalText, judge, vectors),
});
