import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { labelledRequests, parseBundledCalibrationPairs } from '#core/similarity/calibrate-embedder.ts';

const labelledPair = labelledRequests.extend({
  language: z.enum(['en', 'zh']),
  /**
   * Thresholds are chosen on `calibration`; the others are reported; the rule was finished before `blind` was measured.
   */
  half: z.enum(['calibration', 'report', 'blind']),
});
export type LabelledPair = z.infer<typeof labelledPair>;

/** The pairs on which embedders are calibrated, and those that only tests know. */
export const duplicatePairs: readonly LabelledPair[] = [
  ...parseBundledCalibrationPairs().map((pair) => ({ ...pair, language: 'en' as const, half: 'calibration' as const })),
  ...readFileSync(join(import.meta.dirname, '../fixtures/near-duplicates.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => labelledPair.parse(JSON.parse(line))),
];
