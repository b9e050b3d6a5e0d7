import { makeClaimSupportTest, textIn } from './judge.ts';
import { listMaskedLiterals, mask, listNumbersInMasked, type Literal } from './literals.ts';
import { splitIntoStatements } from './statements.ts';
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
      objectionToFailureReport(response) ??
      objectionToOtherVerdict(truth, response) ??
      objectionToMissingValue(truth, request, response) ??
      objectionToMissingWords(truth, request, response, neededShare[temper]);
    return { why: objection ?? 'The response states what the right answer states.', agrees: objection === null };
  };

const objectionToFailureReport = (response: string): string | null => {
  const statements = splitIntoStatements(response);
  return response.trim() === '' || (statements.length > 0 && statements.every(({ manner }) => manner !== 'done'))
    ? 'The response does not say that anything was found or done.'
    : null;
};

const leadingYesOrNo = (text: string): string | undefined =>
  /^(?:yes|no)\b/i.exec(text.trim().replace(/^\W+/, ''))?.[0].toLowerCase();

const objectionToOtherVerdict = (truth: string, response: string): string | null => {
  const wanted = leadingYesOrNo(truth);
  if (wanted === undefined) return null;
  const given = [response, ...response.split(/[.:\n]/)].map(leadingYesOrNo).find((each) => each !== undefined);
  return given === wanted ? null : `The right answer is ${wanted}; the response says ${given ?? 'neither'}.`;
};

const listLiteralsInText = (text: string): Literal[] => {
  const masked = mask(text);
  return [...listMaskedLiterals(masked.text, masked.literals), ...listNumbersInMasked(masked.text)];
};

const objectionToMissingValue = (truth: string, request: string, response: string): string | null => {
  const [isAsked, isStated] = [makeClaimSupportTest([request]), makeClaimSupportTest([response])];
  const missing = listLiteralsInText(truth).find((value) => !isAsked(value) && !isStated(value));
  return missing === undefined ? null : `The response does not state ${missing.text.slice(0, 60)}.`;
};

const objectionToMissingWords = (truth: string, request: string, response: string, share: number): string | null => {
  const known = new Set([...contentWords(request), 'yes', 'no']);
  const wanted = [...new Set(contentWords(mask(truth).text))].filter((word) => !known.has(word));
  const given = new Set(contentWords(response));
  const found = wanted.filter((word) => given.has(word)).length;
  return found >= share * wanted.length ? null : `The response has ${found} of ${wanted.length} words that matter.`;
};
