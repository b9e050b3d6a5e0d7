import type { BenchmarkHeader, BenchmarkLine, BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { Tool } from '#core/catalog/tool.ts';

/** Returns the lines of a benchmark, in the order of its file. */
export const makeBenchmarkLineValues = (
  header: BenchmarkHeader,
  tools: readonly Tool[],
  units: readonly BenchmarkUnit[],
): BenchmarkLine[] => [
  header,
  ...tools.map((tool) => ({ type: 'tool' as const, tool })),
  ...units.map((unit) => ({ type: 'unit' as const, unit })),
];
