import { z } from 'zod';
import { judgeFigures } from './judge-figures.ts';

/** How far the measurement of a judge is. */
const measureState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('running') }),
  z.object({ state: z.literal('measured'), figures: judgeFigures }),
  z.object({ state: z.literal('unavailable'), reason: z.string() }),
]);
export type MeasureState = z.infer<typeof measureState>;

/** A judge, as it was measured in a workspace on attempts whose verdict is known. */
export const judgeMeasure = z.object({
  model: z.string(),
  baseUrl: z.string(),
  /** The versions of the attempts and of the prompt; another one has to be measured again. */
  version: z.string(),
  /** The evaluation in which it judged them. */
  evaluation: z.string(),
  startedAt: z.string(),
  outcome: measureState,
});
export type JudgeMeasure = z.infer<typeof judgeMeasure>;

/** A judge of an evaluation, and its measure in the workspace; null if nobody has measured it in its present version. */
export const shownMeasure = z.object({ model: z.string(), baseUrl: z.string(), measure: judgeMeasure.nullable() });
export type ShownMeasure = z.infer<typeof shownMeasure>;

/** What is known of the judges of an evaluation. */
export const measuredJudging = z.object({
  /** All of them, with their measures. */
  judges: z.array(shownMeasure),
  /** By agent: its share of successes, corrected for the errors of the one judge; absent where it cannot be. */
  trueSuccess: z.record(z.string(), z.object({ value: z.number(), low: z.number(), high: z.number() })),
});
export type MeasuredJudging = z.infer<typeof measuredJudging>;
