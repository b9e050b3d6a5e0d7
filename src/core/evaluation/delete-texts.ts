import type { DisturbanceRecord } from '#core/traces/disturbances/record.ts';
import { z } from 'zod';
import type { Parts, Score } from '#core/scoring/score.ts';
import { buildRecordByAttemptScorer } from './scorers.ts';
import type { AskedQuestion } from '#core/models/simulated-user/asked-question.ts';
import type { Route, Step, Trace } from '#core/traces/trace.ts';
import type { AttemptRecord, EvaluationCase } from './case.ts';
import { requestName, type RequestName } from '#core/benchmarks/protocols/case-requests.ts';

/** What is in place of an answer that was deleted: that there was one counts in figures. */
const deletedText = '[deleted]';

/** The attempts of a case whose texts are deleted, and since when. */
export const deletedTexts = z.object({
  case: z.string(),
  attempts: z.array(z.object({ request: requestName, textsDeleted: z.string() })),
});
export type DeletedTexts = z.infer<typeof deletedTexts>;

/** Returns the names of those of these requests whose attempts still have their texts. */
export const listRequestsWhoseTextsRemain = (
  { attempts }: Pick<EvaluationCase, 'attempts'>,
  requests: readonly RequestName[],
): RequestName[] =>
  requests.filter((name) => attempts[name] !== undefined && attempts[name].textsDeleted === undefined);

/**
 * Returns a case without the texts of some attempts: answers, and the reasons of judges, those for the case as a whole too.
 * Scores, counts and what they are made of stay, and so do all figures. An attempt whose texts were deleted earlier stays as it is.
 */
export function caseWithoutTextsOfAttempts(
  before: EvaluationCase,
  requests: readonly RequestName[],
  at: string,
): EvaluationCase {
  const open = new Set(listRequestsWhoseTextsRemain(before, requests));
  if (open.size === 0) return before;
  const attempts = Object.entries(before.attempts).map(([name, attempt]) => [
    name,
    open.has(name) ? attemptWithoutTexts(attempt, at) : attempt,
  ]);
  const scores = Object.fromEntries(
    Object.entries(before.scores).map(([key, score]) => [key, scoreWithoutReasons(score)]),
  );
  return { ...before, attempts: Object.fromEntries(attempts), scores };
}

const attemptWithoutTexts = (attempt: AttemptRecord, at: string): AttemptRecord => ({
  ...attempt,
  response: attempt.response.trim() === '' ? '' : deletedText,
  scores: buildRecordByAttemptScorer((key) => scoreWithoutReasons(attempt.scores[key])),
  textsDeleted: at,
});

const scoreWithoutReasons = (score: Score): Score => ({
  ...score,
  parts: scorePartsWithoutTexts(score.parts),
  explanation: '',
  ...(score.votes === undefined ? {} : { votes: score.votes.map((vote) => ({ ...vote, why: '' })) }),
});

/** Numbers and yes or no stay. */
const scorePartsWithoutTexts = (parts: Parts): Parts =>
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      Array.isArray(part) && part.some((item) => typeof item === 'string') ? [] : part,
    ]),
  );

/**
 * Returns a trace without arguments, results, answer, searches and reasons. What is left: which tools were called, in which order,
 * what became of it, hashes, counts and times.
 */
export const traceWithoutTexts = (trace: Trace, at: string): Trace => ({
  ...trace,
  steps: trace.steps.map(stepWithoutTexts),
  ...(trace.routes === undefined ? {} : { routes: trace.routes.map(routeWithoutTexts) }),
  finalText: trace.finalText === '' ? '' : deletedText,
  ...(trace.disturbance === undefined ? {} : { disturbance: disturbanceWithoutTexts(trace.disturbance) }),
  ...(trace.checks === undefined ? {} : { checks: trace.checks.map((check) => ({ ...check, why: '' })) }),
  textsDeleted: at,
});

function disturbanceWithoutTexts(given: DisturbanceRecord): DisturbanceRecord {
  const { original: _original, ...record } = given;
  return { ...record, values: [] };
}

function routeWithoutTexts(given: Route): Route {
  const { server: _server, problem: _problem, ...route } = given;
  return { ...route, query: '' };
}

function stepWithoutTexts(given: Step): Step {
  const { summary: _summary, failure, asked, ...step } = given;
  const open = failure !== null && failure.source !== 'rule' && failure.why !== undefined;
  return {
    ...step,
    arguments: null,
    text: '',
    truncated: step.truncated || step.text !== '',
    failure: open ? { ...failure, why: '' } : failure,
    ...(asked === undefined ? {} : { asked: asked.map(questionWithoutTexts) }),
  };
}

/** That a server asked, whether it got an answer and from whom stays. */
const questionWithoutTexts = ({ answer, by }: AskedQuestion): AskedQuestion => ({
  message: '',
  fields: [],
  answer: answer === null ? null : {},
  by,
  why: '',
});
