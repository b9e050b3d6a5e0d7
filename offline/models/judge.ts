import { z } from 'zod';
import { errandStyles, chattyStyles, plainStyles } from './connectors.ts';
import {
  clausesOf,
  idle,
  makeValueOccurrenceCheck,
  reasons,
  scoreIntentsCoveredByStatements,
  textOfVariable,
} from './coverage.ts';
import type { Form } from './form.ts';
import { listMaskedLiterals, maskLiterals, listNumbersInMasked, type Literal } from './literals.ts';
import { answerRefusalForm } from './negative.ts';
import { answerNoticingForm } from './noticing.ts';
import { answerRubricForm } from './rubric.ts';
import { answerForUser } from './simulated-user.ts';
import { splitIntoStatements, type Statement } from './statements.ts';
import { makeSuccessJudge, type JudgeTemper } from './success.ts';
import { toolsOfPrompt, type Cards } from './tools.ts';
import { stemsOfContentWords } from './words.ts';

/** The forms of a judge; the tempers differ in their verdicts on success, so that a panel of them has something to vote on. */
export const formsOfJudge = (temper: JudgeTemper): ReadonlyMap<string, Form> =>
  new Map<string, Form>([
    ['relevance', answerRelevanceForm],
    ['back-requests', answerBackRequestsForm],
    ['sub-intents', answerSubIntentsForm],
    ['sub-intent-scores', answerSubIntentScoresForm],
    ['attempt-reading', makeAttemptReader(temper)],
    ['failure', answerFailureForm],
    ['success', makeSuccessJudge(temper)],
    ['rubric', answerRubricForm],
    ['outcome', makeOutcomeJudge(temper)],
    ['refusal', answerRefusalForm],
    ['noticing', answerNoticingForm],
    ['user-answer', answerForUser],
  ]);

type Variables = ReadonlyMap<string, unknown>;

const mostSubIntents = 10;
const longestSentence = 1_000;
const longestRequest = 4_000;

/** Form `sub-intents`: the clauses of the first wording. */
const answerSubIntentsForm = (variables: Variables): unknown => {
  const [request = ''] = z.array(z.string()).catch([]).parse(variables.get('requests'));
  const clauses = clausesOf(request);
  const parts = clauses.length === 0 ? [request.trim() || 'find out what is wanted'] : clauses;
  const kept = parts.slice(0, mostSubIntents - 1);
  const rest = parts.slice(mostSubIntents - 1).join('; ');
  return { subIntents: [...kept, ...(rest === '' ? [] : [rest])].map((part) => part.slice(0, longestSentence)) };
};

/** Form `sub-intent-scores`: how much of each sub-intent an answer covers. */
const answerSubIntentScoresForm = (variables: Variables, cards: Cards): unknown => {
  const intents = z.array(z.string()).catch([]).parse(variables.get('intents'));
  const statements = splitIntoStatements(textOfVariable(variables, 'response'));
  return {
    scores: scoreIntentsCoveredByStatements(intents, statements, cards).map(({ score, manner }, at) => ({
      subIntent: at + 1,
      score: roundToHundredths(score),
      nothingFound: manner === 'failed' && score >= 0.5,
      why: manner === null ? 'The answer does not speak of it.' : reasons[manner],
    })),
  };
};

const goalScore = z.object({ score: z.number(), nothingFound: z.boolean() });
const verdict = z.object({
  goals: z.array(z.object({ goal: z.number(), why: z.string(), achieved: z.boolean() })),
  why: z.string(),
  success: z.boolean(),
});

/** Form `attempt-reading`: what `success`, `relevance` and `sub-intent-scores` say, in one answer. */
const makeAttemptReader = (temper: JudgeTemper): Form => {
  const judgeSuccess = makeSuccessJudge(temper);
  return (variables, cards) => {
    const { goals, ...rest } = verdict.parse(judgeSuccess(variables, cards));
    const { scores } = z
      .object({ scores: z.array(goalScore) })
      .parse(answerSubIntentScoresForm(new Map([...variables, ['intents', variables.get('goals')]]), cards));
    return {
      goals: goals.map((goal, at) => ({
        ...goal,
        covered: scores[at]?.score ?? 0,
        nothingFound: scores[at]?.nothingFound ?? false,
      })),
      relevance: answerRelevanceForm(variables, cards),
      ...rest,
    };
  };
};

const shownCall = z.looseObject({ outcome: z.string().catch('fault'), result: z.string().catch('') });

/** Form `relevance`: how much of the request an answer covers, minus unsupported claims. */
const answerRelevanceForm = (variables: Variables, cards: Cards): unknown => {
  const request = textOfVariable(variables, 'request');
  const response = textOfVariable(variables, 'response');
  const calls = z.array(shownCall).catch([]).parse(variables.get('calls'));
  const statements = splitIntoStatements(response);
  const clauses = clausesOf(request);
  const covered = scoreIntentsCoveredByStatements(clauses.length === 0 ? [request] : clauses, statements, cards);
  const shown = calls.some(({ outcome }) => outcome === 'success');
  const scores = covered.map(({ score, manner }) => (shown || manner !== 'done' ? score : Math.min(score, 0.3)));
  const useful = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const support = makeValueOccurrenceCheck([request, ...calls.map(({ result }) => result)]);
  const claims = statements.flatMap(({ values }) => values);
  const bare = claims.filter((claim) => !support(claim));
  const penalty = bare.length === 0 ? 0 : Math.min(0.6, 0.1 * bare.length + (0.35 * bare.length) / claims.length);
  const unsupported =
    bare.length === 0
      ? 'nothing'
      : bare
          .slice(0, 3)
          .map(({ text }) => text.slice(0, 60))
          .join(', ');
  return {
    why: `Covers ${Math.round(useful * 100)} of 100 of the request; without support: ${unsupported}.`,
    score: roundToHundredths(Math.max(0, useful * (1 - penalty))),
  };
};

/** Form `back-requests`: the content of an answer, requested in as many ways as are wanted. */
const answerBackRequestsForm = (variables: Variables): unknown => {
  const matters = splitIntoStatements(textOfVariable(variables, 'response')).flatMap(statementWordedAsRequests);
  const clauses = matters.length === 0 ? ['tell me something'] : [...new Set(matters)];
  const styles = plainStyles.flatMap((plain, at) => [plain, chattyStyles[at] ?? plain, errandStyles[at] ?? plain]);
  const count = z.int().min(1).catch(1).parse(variables.get('count'));
  return {
    requests: Array.from({ length: count }, (_, at) =>
      (styles[at % styles.length]?.(clauses) ?? '').slice(0, longestRequest),
    ),
  };
};

const failedCall = z.record(z.string(), z.unknown()).catch({});

/**
 * Form `failure`: the class of a failed call, by the words of its error; if they say nothing, by its keys; else
 * `unclear`. A result that was marked as a success and has no word of failure is none.
 */
const answerFailureForm = (variables: Variables, cards: Cards): unknown => {
  const { arguments: args, marked, ...error } = failedCall.parse(variables.get('call'));
  const text = Object.values(error)
    .filter((value) => typeof value === 'string')
    .join('\n');
  if (marked === 'success' && !wordsOfFailure.test(text))
    return { why: 'Nothing in the result says that the call failed.', class: 'no-failure' };
  const rule = failureWords.find(({ words }) => words.test(text));
  if (rule !== undefined) return { why: `The error says: ${rule.words.exec(text)?.[0] ?? ''}`, class: rule.class };
  const [tool] = toolsOfPrompt([variables.get('tool')], cards);
  const known = Object.keys(tool?.schema.properties ?? {});
  const given = known.length === 0 ? [] : Object.keys(failedCall.parse(args));
  const strange = given.find((key) => !known.includes(key));
  if (strange !== undefined) return { why: `The tool has no \`${strange}\`.`, class: 'undefined-parameter-key' };
  return { why: 'The error does not say what happened.', class: 'unclear' };
};

const wordsOfFailure =
  /error|fail|exception|invalid|denied|not found|unable|cannot|can't|unknown|missing|wrong|refused|timed? ?out|traceback|错误|失败|錯誤|失敗|false|\b[45]\d\d\b/iu;

const failureWords: readonly { readonly class: string; readonly words: RegExp }[] = [
  // Phrases with a word that means something else on its own.
  { class: 'syntactic-malformation', words: /\bunexpected token\b|\bnot valid json\b/iu },
  {
    class: 'implicit-business-constraint',
    words:
      /\bdivision by zero\b|\binvalid value for\b|\bis not absolute\b|\b(?:expected|provide) one of\b|\bonly [\w, ]+ (?:is|are) allowed\b/iu,
  },
  { class: 'precondition-violation', words: /\bnothing to \w+|\bis empty\b|\bno connected\b/iu },
  {
    class: 'invalid-artifact-reference',
    words: /\bno (?:results|data|matches)\b|\bno \w+ (?:\w+ )?(?:matching|for|named)\b|暂无/iu,
  },
  {
    class: 'server-defect',
    words:
      /\bhas no attribute\b|\bcannot read propert|\bis not a function\b|\bexecutable doesn't exist\b|\bno module named\b|\bcommand not found\b|\binternal server error\b/iu,
  },
  {
    class: 'authentication-deficit',
    words: /\b(?:log(?:ged)? ?in|sign(?:ed)? in|credentials?|api key|token|password|unauthori[sz]ed)\b/iu,
  },
  {
    class: 'resource-contention',
    words: /\b(?:lock(?:ed)?|in use|busy|conflict(?:s|ing)?|occupied|concurrent(?:ly)?)\b/iu,
  },
  { class: 'context-invalidation', words: /\b(?:expired|stale|destroyed|closed|detached|no longer)\b/iu },
  {
    class: 'access-policy-rejection',
    words: /\b(?:forbidden|denied|not allowed|not permitted|permissions?|blocked|policy|refus(?:ed|es))\b/iu,
  },
  {
    class: 'service-scope-limitation',
    words: /\b(?:quota|rate limit|region|plan|not supported|unsupported|not available|unavailable)\b/iu,
  },
  { class: 'network-instability', words: /\b(?:network|connection|socket|dns|host|gateway|unreachable|fetch)\b/iu },
  {
    class: 'asynchronous-indeterminacy',
    words: /\b(?:time[d]?[ -]?out|deadline|(?:is|are|still) pending|in progress|unknown (?:state|status|outcome))\b/iu,
  },
  {
    class: 'precondition-violation',
    words:
      /\b(?:(?:must|please|need to|have to|call|run|use) [^.]{1,80}\bfirst|not (?:yet )?(?:initiali[sz]ed|open|connected|selected|started)|no (?:open|active|current))\b/iu,
  },
  {
    class: 'undefined-parameter-key',
    words:
      /\b(?:unknown|unexpected|unrecogni[sz]ed|additional) (?:\w+ )?(?:parameters?|arguments?|keys?|propert(?:y|ies)|fields?)\b/iu,
  },
  {
    class: 'invalid-artifact-reference',
    words: /\b(?:not found|no such|does(?: not|n't) exist|missing|unknown|cannot find|nonexistent)\b/iu,
  },
  {
    class: 'syntactic-malformation',
    words:
      /\b(?:pars(?:e|ed|ing)|syntax|malformed|json|format|invalid type|expected \w+|must be (?:an? )?(?:string|number|integer|array|object|boolean))\b/iu,
  },
  {
    class: 'implicit-business-constraint',
    words:
      /\b(?:must|should|at most|at least|limit|range|too \w+|between|exceeds?|already exists|only|cannot(?! read)|may not|invalid)\b/iu,
  },
];

/** Returns the subject of a statement, worded as a request. */
const statementWordedAsRequests = ({ own, report }: Statement): string[] => {
  const asked = stripReporting(own);
  const words = stemsOfContentWords(asked).filter((word) => !idle.has(word));
  if (words.length > 0) return [asked];
  const told = stripReporting(report.slice(0, 300));
  return stemsOfContentWords(told).length >= 2 ? [told] : [];
};

const stripReporting = (text: string): string =>
  text
    .trim()
    .replace(/^(?:done|sure|certainly|okay|ok|well)[.,!]?\s*/iu, '')
    .replace(
      /^(?:i|we)(?:'ve| have| had)?(?: (?:was|were) (?:asked )?to| (?:tried|attempted) to| could ?n[o']t| can ?not| can't| also)*\s+/iu,
      '',
    )
    .replace(/,?\s+(?:and (?:i )?got|which (?:has )?failed|but (?:it|that) failed)$/iu, '')
    .replace(/[\s.;,!?]+$/u, '');

const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;

/** The share of the truth's words that a response has to have, by temper. */
const neededShare: Readonly<Record<JudgeTemper, number>> = { lenient: 0.5, even: 0.75, strict: 1 };

/**
 * Form `outcome`: whether a response agrees with the right answer. It has to state every value of the truth that the request
 * does not give, and most of its other words, and may not only report failures. A truth that is a yes or a no has to
 * begin the response, or one of its sentences.
 */
const makeOutcomeJudge =
  (temper: JudgeTemper) =>
  (variables: ReadonlyMap<string, unknown>): unknown => {
    const [request, truth, response] = [
      textOfVariable(variables, 'request'),
      textOfVariable(variables, 'truth'),
      textOfVariable(variables, 'response'),
    ];
    const objection =
      objectionToAnswerOfOnlyFailures(response) ??
      objectionToOtherYesOrNo(truth, response) ??
      objectionToMissingValue(truth, request, response) ??
      objectionToMissingWords(truth, request, response, neededShare[temper]);
    return { why: objection ?? 'The response states what the right answer states.', agrees: objection === null };
  };

const objectionToAnswerOfOnlyFailures = (response: string): string | null => {
  const statements = splitIntoStatements(response);
  return response.trim() === '' || (statements.length > 0 && statements.every(({ manner }) => manner !== 'done'))
    ? 'The response does not say that anything was found or done.'
    : null;
};

const yesOrNoAtBeginning = (text: string): string | undefined =>
  /^(?:yes|no)\b/i.exec(text.trim().replace(/^\W+/, ''))?.[0].toLowerCase();

const objectionToOtherYesOrNo = (truth: string, response: string): string | null => {
  const wanted = yesOrNoAtBeginning(truth);
  if (wanted === undefined) return null;
  const given = [response, ...response.split(/[.:\n]/)].map(yesOrNoAtBeginning).find((each) => each !== undefined);
  return given === wanted ? null : `The right answer is ${wanted}; the response says ${given ?? 'neither'}.`;
};

const listLiteralsInText = (text: string): Literal[] => {
  const masked = maskLiterals(text);
  return [...listMaskedLiterals(masked.text, masked.literals), ...listNumbersInMasked(masked.text)];
};

const objectionToMissingValue = (truth: string, request: string, response: string): string | null => {
  const [isAsked, isStated] = [makeValueOccurrenceCheck([request]), makeValueOccurrenceCheck([response])];
  const missing = listLiteralsInText(truth).find((value) => !isAsked(value) && !isStated(value));
  return missing === undefined ? null : `The response does not state ${missing.text.slice(0, 60)}.`;
};

const objectionToMissingWords = (truth: string, request: string, response: string, share: number): string | null => {
  const known = new Set([...stemsOfContentWords(request), 'yes', 'no']);
  const wanted = [...new Set(stemsOfContentWords(maskLiterals(truth).text))].filter((word) => !known.has(word));
  const given = new Set(stemsOfContentWords(response));
  const found = wanted.filter((word) => given.has(word)).length;
  return found >= share * wanted.length ? null : `The response has ${found} of ${wanted.length} words that matter.`;
};
