import { makeSupportCheck, textIn } from './judge.ts';
import { listMaskedLiterals, mask, numbersIn, type Literal } from './literals.ts';
import { statementsOf } from './statements.ts';
import type { JudgeTemper } from './success.ts';
import { contentWords } from './words.ts';

/** The share of the truth's words that a response has to have, by temper. */
const neededShare: Readonly<Record<JudgeTemper, number>> = { lenient: 0.5, even: 0.75, strict: 1 };

/**
 * Form `outcome`: whether a response agrees with the right answer. It has to state every value of the truth that the request
 * does not give, and most of its other words, and may not only report failures. A truth that is a yes or a no has to
 * begin the response, or one of its sentences.
 */
export const makeOutcomeJudge =
  (temper: JudgeTemper) =>
  (variables: ReadonlyMap<string, unknown>): unknown => {
    const [request, truth, response] = [
      textIn(variables, 'request'),
      textIn(variables, 'truth'),
      textIn(variables, 'response'),
    ];
    const objection =
      objectToFailureReport(response) ??
      objectToOtherVerdict(truth, response) ??
      objectToMissingValue(truth, request, response) ??
      objectToMissingWords(truth, request, response, neededShare[temper]);
    return { why: objection ?? 'The response states what the right answer states.', agrees: objection === null };
  };

const objectToFailureReport = (response: string): string | null => {
  const statements = statementsOf(response);
  return response.trim() === '' || (statements.length > 0 && statements.every(({ manner }) => manner !== 'done'))
    ? 'The response does not say that anything was found or done.'
    : null;
};

const verdictOf = (text: string): string | undefined =>
  /^(?:yes|no)\b/i.exec(text.trim().replace(/^\W+/, ''))?.[0].toLowerCase();

const objectToOtherVerdict = (truth: string, response: string): string | null => {
  const wanted = verdictOf(truth);
  if (wanted === undefined) return null;
  const given = [response, ...response.split(/[.:\n]/)].map(verdictOf).find((each) => each !== undefined);
  return given === wanted ? null : `The right answer is ${wanted}; the response says ${given ?? 'neither'}.`;
};

const valuesIn = (text: string): Literal[] => {
  const masked = mask(text);
  return [...listMaskedLiterals(masked.text, masked.literals), ...numbersIn(masked.text)];
};

const objectToMissingValue = (truth: string, request: string, response: string): string | null => {
  const [isAsked, isStated] = [makeSupportCheck([request]), makeSupportCheck([response])];
  const missing = valuesIn(truth).find((value) => !isAsked(value) && !isStated(value));
  return missing === undefined ? null : `The response does not state ${missing.text.slice(0, 60)}.`;
};

const objectToMissingWords = (truth: string, request: string, response: string, share: number): string | null => {
  const known = new Set([...contentWords(request), 'yes', 'no']);
  const wanted = [...new Set(contentWords(mask(truth).text))].filter((word) => !known.has(word));
  const given = new Set(contentWords(response));
  const found = wanted.filter((word) => given.has(word)).length;
  return found >= share * wanted.length ? null : `The response has ${found} of ${wanted.length} words that matter.`;
};
