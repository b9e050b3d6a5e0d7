/**
 * Writes src/core/traces/error-weights.json: how much each trait of a result says that the call failed, learned from
 * tests/fixtures/labelled-results.jsonl:
 *
 *     node scripts/error-weights.ts            # writes the weights
 *     node scripts/error-weights.ts --measure  # leaves out one server at a time, and says what the weights make of it
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorThreshold } from '#core/traces/weighed-error.ts';
import { readLabelledRows } from './error-weights/labelled-rows.ts';
import { learnWeights } from './error-weights/learn.ts';
import { measurementLines, mistakeLines, weighWithoutOwnServer } from './error-weights/measure.ts';

/** Smaller weights change nothing. */
const smallest = 0.005;

const rows = readLabelledRows(fileURLToPath(import.meta.resolve('../tests/fixtures/labelled-results.jsonl')));
if (process.argv.includes('--measure')) {
  const weighed = weighWithoutOwnServer(rows, [...new Set(rows.map(({ server }) => server))]);
  const isWritten = ({ server }: { readonly server: string }): boolean => server.startsWith('written-');
  const thresholds = [0, 0.5, errorThreshold, 1.5, 2];
  for (const line of [
    'Servers:',
    ...measurementLines(
      weighed.filter((row) => !isWritten(row)),
      thresholds,
    ),
    'Written by hand:',
    ...measurementLines(weighed.filter(isWritten), thresholds),
    ...mistakeLines(weighed, errorThreshold),
  ])
    console.log(line);
} else {
  const kept = [...learnWeights(rows)]
    .filter(([, weight]) => Math.abs(weight) >= smallest)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([trait, weight]): [string, number] => [trait, Math.round(weight * 1000) / 1000]);
  const target = fileURLToPath(import.meta.resolve('../src/core/traces/error-weights.json'));
  writeFileSync(target, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
  const servers = new Set(rows.map(({ server }) => server)).size;
  console.log(`${kept.length} weights from ${rows.length} results of ${servers} servers`);
}
