import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { UnitPages } from '#core/evaluation/create-on-basis.ts';

/** Units in pages of so many. */
export const unitPages = (units: readonly BenchmarkUnit[], perPage = 100): UnitPages => ({
  count: units.length,
  async *pages() {
    for (let from = 0; from < units.length; from += perPage) yield units.slice(from, from + perPage);
  },
});
