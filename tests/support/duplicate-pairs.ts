import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Two requests as users of tool servers write them, and whether they ask for the same. */
const labelledPair = z.object({
  id: z.string(),
  language: z.enum(['en', 'zh']),
  /** `paraphrase` asks for the same; `same-topic`, `entity-swapped` and `unrelated` do not. */
  kind: z.enum(['paraphrase', 'same-topic', 'entity-swapped', 'unrelated']),
  /**
   * Thresholds are chosen on `calibration`; the others are reported; the rule was finished before `blind` was measured.
   */
  half: z.enum(['calibration', 'report', 'blind']),
  /** By the author of the rule, or by somebody who knew neither the rule nor the other pairs. */
  source: z.enum(['author', 'blind']).default('author'),
  a: z.object({ text: z.string(), tools: z.array(z.string()) }),
  b: z.object({ text: z.string(), tools: z.array(z.string()) }),
  /** Cosine of the two texts' vectors from the sentence model. */
  cosine: z.number(),
});
export type LabelledPair = z.infer<typeof labelledPair>;

export const duplicatePairs: readonly LabelledPair[] = readFileSync(
  join(import.meta.dirname, '../fixtures/near-duplicates.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => labelledPair.parse(JSON.parse(line)));
