import { z } from 'zod';
import pairs from './calibration-pairs.json' with { type: 'json' };

/** Two requests in English as users of tool servers write them, and whether they ask for the same. */
export const labelledRequests = z.object({
  id: z.string(),
  /** `paraphrase` asks for the same; `same-topic`, `entity-swapped` and `unrelated` do not. */
  kind: z.enum(['paraphrase', 'same-topic', 'entity-swapped', 'unrelated']),
  /** By the author of the rule, or by somebody who knew neither the rule nor the other pairs. */
  source: z.enum(['author', 'blind']).default('author'),
  a: z.object({ text: z.string(), tools: z.array(z.string()) }),
  b: z.object({ text: z.string(), tools: z.array(z.string()) }),
  /** Cosine of the two texts' vectors from the offline embedder's model. */
  cosine: z.number(),
});
export type LabelledRequests = z.infer<typeof labelledRequests>;

/** Returns the labelled pairs on which thresholds are calibrated; other labelled pairs measure the result. */
export const parseBundledCalibrationPairs = (): LabelledRequests[] => z.array(labelledRequests).parse(pairs);
