import { pairFormat } from '#core/benchmarks/file-formats.ts';
import { computePairUnitId, type BenchmarkHeader, type BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { placeTextOfToolName } from './stub-answers.ts';
import { makeBenchmarkLineValues } from '../shared/benchmark-lines.ts';

/**
 * Returns a benchmark file of a number of units, each of which a stub agent solves with a number of calls; the tools
 * take turns.
 */
export async function makeStubBenchmarkFile(
  catalog: string,
  tools: readonly Tool[],
  count: number,
  calls = 1,
): Promise<Blob> {
  const nth = (n: number): string => tools[n % tools.length]?.name ?? '';
  const units = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      makeStubUnit(
        n,
        Array.from({ length: calls }, (_, index) => nth(n + index)),
      ),
    ),
  );
  const header: BenchmarkHeader = {
    type: 'benchmark',
    format: pairFormat,
    name: `bench of ${count}`,
    split: 'all',
    catalog,
    explorations: [],
    seed: 0,
    privateShare: 0,
    offline: true,
    tools: tools.length,
    units: units.length,
  };
  return new Blob(makeBenchmarkLineValues(header, tools, units).map((line) => `${canonicalJson(line)}\n`));
}

async function makeStubUnit(n: number, chain: readonly string[]): Promise<BenchmarkUnit> {
  const places = chain.map(placeTextOfToolName).join(' ');
  const asked = {
    source: `For matter ${n}, do with "alpha" what stands at ${places}.`,
    followUp: `Please take "alpha" and go through ${places}; it is about matter ${n}.`,
    chain: [...chain],
  };
  return {
    ...asked,
    id: await computePairUnitId(asked),
    split: 'public',
    arguments: chain.map((_, at) => ({ step: at + 1, argument: 'text', source: { kind: 'span', text: 'alpha' } })),
    facts: [],
    semanticEquivalence: 95,
    parameterSolvability: 95,
    provenance: {
      exploration: 'bench',
      unit: `u${n}`,
      round: 1,
      models: {},
      prompts: [],
      harness: 'bench',
    },
  };
}
