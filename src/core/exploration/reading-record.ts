import { z } from 'zod';
import { unitCounts } from './counts.ts';

const interval = { low: z.number(), high: z.number() };

/** What an estimate of all transitions is made from: Chao1 of the run's own counts, or what it found and how much of that its probes meet again. */
export const estimateSource = z.enum(['recapture', 'chao1']);
export type EstimateSource = z.infer<typeof estimateSource>;

const count = { value: z.number(), ...interval };

/** How many transitions there are in all; every figure is at least what was found and at most `possible`. */
export const allTransitions = z.object({
  /** What can exist: ordered pairs of different tools of the catalog. */
  possible: z.int(),
  /** Probes that made a transition; an estimate from them takes 10. */
  probes: z.int(),
  estimate: z
    .object({ from: estimateSource, ...count })
    .nullable()
    .describe(
      'The estimate that holds for the strategy, with its 95% interval. `recapture`: how many there would be if those not found were as common in fresh units as those found; rarer ones come on top, so it and `low` are lower bounds for all. `chao1`: as published for the strategies gve, sgve and sgvef, cut at `possible`. Null while there are too few probes.',
    ),
  byProbesAlone: z
    .object(count)
    .nullable()
    .describe(
      'What was found, and Chao1 of the transitions that only probes made: a lower bound in expectation that no steering touches. Lower than a recapture, and slow.',
    ),
});
export type AllTransitions = Readonly<z.infer<typeof allTransitions>>;

/** How much a run has found, and how much is left, after a round. Shares are 0..1. */
export const roundReading = z.object({
  round: z.int(),
  units: unitCounts,
  probeCoverage: z
    .object({
      value: z.number(),
      ...interval,
      anytimeLow: z.number(),
      transitions: z.int(),
      probes: z.int(),
      designEffect: z.number(),
    })
    .nullable()
    .describe(
      'The share of all probe transitions so far that the steered units have found: the chance that a transition of a fresh, unsteered unit is known already. Popular transitions weigh more in it; it is not a share of all true transitions. `low` and `high` hold for one reading (95%), `anytimeLow` however often one looks. Null before the first.',
    ),
  /** Distinct executed transitions; `f1`, `f2`, `f3` of them in one, two, three units; `n` counts observations. */
  transitions: z.int(),
  n: z.int(),
  f1: z.int(),
  f2: z.int(),
  f3: z.int(),
  /** f1/f3 and f2/f3; null while f3 is 0. */
  f1ToF3: z.number().nullable(),
  f2ToF3: z.number().nullable(),
  /** Executed transitions in which a value passed at least once. */
  valuesPassed: z.int(),
  allTransitions: allTransitions.optional().describe('Absent in readings of earlier releases.'),
  chao1: z
    .object({ estimate: z.number(), standardError: z.number(), ...interval })
    .describe(
      'Chao1 as published, of the steered units alone. Without feedback it is a lower bound; feedback makes singletons, so under a strategy that steers it overshoots, even what can exist: read `allTransitions`.',
    ),
  sampleCoverage: z
    .number()
    .nullable()
    .describe(
      'The chance that the next observation is of a known transition, as long as nothing steers; feedback breaks that assumption.',
    ),
  transitionCoverage: z
    .object({
      value: z.number(),
      ...interval,
      /** The fixed bound that the run was given, which is then the denominator; null or absent: it is `chao1`. */
      bound: z.number().nullable().optional(),
    })
    .nullable()
    .describe(
      '`transitions` by `chao1`: where Chao1 is a lower bound this flatters, and where Chao1 overshoots it is too small. By the fixed `bound` if the run was given one: above 1 if there are more transitions than that. Look at `probeCoverage` first.',
    ),
  plateau: z
    .number()
    .nullable()
    .optional()
    .describe(
      'The mean of the last seven estimates of Chao1 if they lie within 1% of it, else null: where a pilot converged, which a later run can be given as its `bound`. Null under strategies for which Chao1 does not hold. Absent in readings of earlier releases.',
    ),
  /** `value` is 0 if every tool is set aside; the schema also accepts null. */
  nodeCoverage: z.object({ value: z.number().nullable(), covered: z.int(), of: z.int(), setAside: z.int() }),
  calledCoverage: z
    .object({ value: z.number(), covered: z.int(), of: z.int() })
    .optional()
    .describe(
      'The share of all tools that a steered unit, accepted or rejected, called with any outcome: C_node of the published loop, which ends its first phase by it. `nodeCoverage` counts successes. Absent in readings of earlier releases.',
    ),
  objective: z
    .number()
    .optional()
    .describe(
      'The objective of the published loop (equation 1): the mean of `calledCoverage` and `transitionCoverage`, since the paper states no weights. With the caveats of the latter. Absent in readings of earlier releases.',
    ),
});
export type RoundReading = z.infer<typeof roundReading>;
