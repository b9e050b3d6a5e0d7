import { z } from 'zod';
import { canonicalJson } from '#core/values/canonical.ts';

const weight = z.number().min(0).max(1);

/** How far a sum of weights may be from 1, because decimals are not exact. */
const roundingError = 1e-9;

/** The weights of MTC's four shares, which sum to 1. */
const agreementWeights = z
  .strictObject({
    sa: weight.default(0.35),
    so: weight.default(0.25),
    pa: weight.default(0.15),
    fa: weight.default(0.25),
  })
  .refine(({ sa, so, pa, fa }) => Math.abs(sa + so + pa + fa - 1) <= roundingError, {
    message: 'the weights of MTC sum to 1',
  });

/** The most requests that a judge writes back from a response. */
export const mostBackRequests = 10;

/**
 * The parameters of the published metrics. The paper names them and leaves their values open. The default weights of
 * MTC reproduce 7 of the 8 rows of its Table 3 up to rounding; the other defaults are even weights, and three requests.
 */
export const scoringParameters = z.strictObject({
  /** Weight of recall in TCS, that of precision is the rest (alpha of equation 3). */
  tcs: z.strictObject({ recall: weight.default(0.5) }).prefault({}),
  mtc: agreementWeights.prefault({}),
  ar: z
    .strictObject({
      /** Weight of the judge's grade in AR, that of the mean cosine is the rest (lambda of equation 6). */
      judge: weight.default(0.5),
      /** Requests that are written back from the response (N of equation 6). */
      backRequests: z.int().min(1).max(mostBackRequests).default(3),
    })
    .prefault({}),
});
export type ScoringParameters = z.infer<typeof scoringParameters>;

/** The values of every leaderboard, and of evaluations that choose none. */
export const defaultScoring: ScoringParameters = scoringParameters.parse({});

/** Returns whether parameters are the defaults. */
export const isDefaultScoring = (scoring: ScoringParameters): boolean =>
  canonicalJson(scoring) === canonicalJson(defaultScoring);
