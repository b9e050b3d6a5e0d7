import { isEveryStepProven } from '#core/units/witness.ts';
import { drawDistinctUnitsInOrder, type BenchmarkLine } from './benchmark.ts';

/**
 * Returns the lines of a benchmark's file with only so many of its units, drawn by the seed in their order; all lines if it has no more.
 * The header says from how many they were drawn. The same lines, seed and number give the same file, and so the same benchmark.
 */
export function benchmarkLinesWithSampledUnits(
  lines: readonly BenchmarkLine[],
  { units: wanted, seed }: { readonly units: number; readonly seed: number },
): BenchmarkLine[] {
  const units = lines.flatMap((line) => (line.type === 'unit' ? [line.unit] : []));
  const drawn = drawDistinctUnitsInOrder(units, seed, wanted);
  if (drawn.length === units.length) return [...lines];
  const ids = new Set(drawn.map(({ id }) => id));
  return lines.flatMap((line): BenchmarkLine[] => {
    if (line.type === 'unit') return ids.has(line.unit.id) ? [line] : [];
    if (line.type === 'tool') return [line];
    const { unproven } = line;
    return [
      {
        ...line,
        units: drawn.length,
        sampledFrom: units.length,
        ...(unproven === undefined ? {} : { unproven: drawn.filter((unit) => !isEveryStepProven(unit)).length }),
      },
    ];
  });
}
