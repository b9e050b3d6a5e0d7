import { z } from 'zod';
import type { Reading } from './reading.ts';

const interval = { low: z.number(), high: z.number() };

/** Units committed, each in one of these: a probe is a probe, whatever became of it. */
export const unitCounts = z.object({
  accepted: z.int(),
  review: z.int(),
  rejected: z.int(),
  lost: z.int(),
  dropped: z.int(),
  probes: z.int(),
});

/** What a run knows after a round, as a client reads it. Shares are 0..1. */
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
  /** Different transitions that executed; `f1`, `f2`, `f3` of them in one, two, three units; `n` counts observations. */
  transitions: z.int(),
  n: z.int(),
  f1: z.int(),
  f2: z.int(),
  f3: z.int(),
  f1ToF3: z.number().nullable(),
  f2ToF3: z.number().nullable(),
  valuesPassed: z.int(),
  chao1: z
    .object({ estimate: z.number(), standardError: z.number(), ...interval })
    .describe(
      'An estimate of how many transitions there are. Without feedback it is a lower bound; feedback makes singletons, so with a steered strategy it overshoots.',
    ),
  sampleCoverage: z
    .number()
    .nullable()
    .describe(
      'The chance that the next observation is of a known transition, as long as nothing steers; feedback breaks that assumption.',
    ),
  transitionCoverage: z
    .object({ value: z.number(), ...interval })
    .nullable()
    .describe(
      '`transitions` by `chao1`: where Chao1 is a lower bound this flatters, and where Chao1 overshoots it is too small. Look at `probeCoverage` first.',
    ),
  /** Null where every tool is set aside. */
  nodeCoverage: z.object({ value: z.number().nullable(), covered: z.int(), of: z.int(), setAside: z.int() }),
});
export type RoundReading = z.infer<typeof roundReading>;

/** A reading of the core in the words of the API. */
export const readingRecord = (reading: Reading): RoundReading => ({
  round: reading.round,
  units: { ...reading.units },
  probeCoverage: reading.probeCoverage === null ? null : { ...reading.probeCoverage },
  transitions: reading.S,
  n: reading.n,
  f1: reading.f1,
  f2: reading.f2,
  f3: reading.f3,
  f1ToF3: reading.ratios.f1f3,
  f2ToF3: reading.ratios.f2f3,
  valuesPassed: reading.valuesPassed,
  chao1: { ...reading.chao1 },
  sampleCoverage: reading.sampleCoverage,
  transitionCoverage: reading.transitionCoverage === null ? null : { ...reading.transitionCoverage },
  nodeCoverage: { ...reading.nodeCoverage },
});
