import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Two requests in a script that is neither Latin nor Chinese, and whether they ask for the same. */
const scriptPair = z.object({
  id: z.string(),
  script: z.enum(['thai', 'kana', 'hangul', 'arabic', 'cyrillic']),
  /** `paraphrase` asks for the same; `same-topic`, `entity-swapped` and `unrelated` do not. */
  kind: z.enum(['paraphrase', 'same-topic', 'entity-swapped', 'unrelated']),
  /** The rule was written with `calibration` and `report` in view, and finished before `blind` was written. */
  half: z.enum(['calibration', 'report', 'blind']),
  a: z.object({ text: z.string(), tools: z.array(z.string()) }),
  b: z.object({ text: z.string(), tools: z.array(z.string()) }),
});
export type ScriptPair = z.infer<typeof scriptPair>;

export const scriptPairs: readonly ScriptPair[] = readFileSync(
  join(import.meta.dirname, '../fixtures/near-duplicates-by-script.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => scriptPair.parse(JSON.parse(line)));
