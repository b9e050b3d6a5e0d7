import { z } from 'zod';
import { scorerKeys } from './scorers.ts';
import { rankingComparison } from './compare-rankings.ts';
import { verdictAgreement } from './verdict-agreement.ts';

/** How far the verdicts of an evaluation agree with others, and its ranking with the one before its attempts were judged again. */
export const evaluationAgreement = verdictAgreement.extend({
  /** The scorer whose verdicts are compared; null where the protocol has none, so that only labels and added votes are. */
  verdict: z.enum(scorerKeys).nullable(),
  ranking: rankingComparison.extend({ evaluation: z.string() }).nullable(),
});
export type EvaluationAgreement = z.infer<typeof evaluationAgreement>;
