import { readingQuestion } from '#core/scoring/attempt-reading.ts';
import { attemptScorers } from './scorers.ts';

/**
 * How many tokens an answer in each form may have, thoughts aside: about what its texts have at their longest, a token for every
 * three characters. Endpoints count what is asked for against their limits, so that a judge's sentence must not ask for a
 * chapter. Questions to judges state theirs.
 */
const tokensByForm: ReadonlyMap<string, number> = new Map([
  ...attemptScorers.flatMap(({ questions }) =>
    questions.map(({ form, answerTokens }) => [form, answerTokens] as const),
  ),
  [readingQuestion.form, readingQuestion.answerTokens],
  ['scenario', 3_000],
  ['variant', 3_000],
  ['metamorphic-pair', 6_000],
  ['refinement', 6_000],
  ['audit', 6_000],
  ['negative-pair', 4_000],
  ['negative-audit', 6_000],
  ['task-quality', 3_000],
  ['fuzzy-request', 2_000],
  ['catalog-pairs', 16_000],
  ['failure', 1_000],
  ['tool-categories', 8_000],
  ['server-summary', 1_000],
  ['wording', 12_000],
  ['user-answer', 2_000],
]);

/** Returns the tokens of an answer in a form; undefined for one that has no number of its own. */
export const maxAnswerTokensOfForm = (form: string): number | undefined => tokensByForm.get(form);
