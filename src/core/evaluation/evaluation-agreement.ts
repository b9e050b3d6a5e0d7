import { z } from 'zod';
import { rankingComparison } from './compare-rankings.ts';
import { verdictAgreement } from './verdict-agreement.ts';

/** How far the verdicts of an evaluation agree with others, and its ranking with the one before its attempts were judged again. */
export const evaluationAgreement = verdictAgreement.extend({
  ranking: rankingComparison.extend({ evaluation: z.string() }).nullable(),
});
export type EvaluationAgreement = z.infer<typeof evaluationAgreement>;
