import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import type { LineProblem } from './line-problem.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { isEveryStepProven } from '#core/units/witness.ts';
import { parseLineWithSchema } from '#core/values/json-line.ts';
import {
  benchmarkIdFromHash,
  benchmarkLine,
  extendHashChain,
  emptyHashChain,
  findFormatProtocolContradiction,
  protocolOfBenchmarkOrDefault,
  computeUnitIdFromContent,
  unitKindOf,
  type BenchmarkHeader,
  type BenchmarkUnit,
} from '#core/benchmarks/benchmark.ts';

/** A benchmark read from its file: all of it or its public part. */
export interface ReadBenchmark {
  readonly header: BenchmarkHeader;
  readonly tools: readonly Tool[];
  readonly units: readonly BenchmarkUnit[];
  /** The hash of the content; null if private units are missing from the file, because the hash includes them. */
  readonly id: string | null;
}

/** Reads a benchmark's file and checks that the ids match the hashes of its units and catalog. */
export async function parseAndCheckBenchmark(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Result<ReadBenchmark, LineProblem>> {
  let header: BenchmarkHeader | null = null;
  const tools: Tool[] = [];
  const units: BenchmarkUnit[] = [];
  let hash = emptyHashChain;
  let line = 0;
  const lineProblem = (problem: string) => err({ line, problem });
  for await (const text of lines) {
    line += 1;
    const parsed = parseLineWithSchema(benchmarkLine, text);
    if (!parsed.ok) return lineProblem(parsed.problem);
    const { value } = parsed;
    if ((value.type === 'benchmark') !== (header === null))
      return lineProblem('a benchmark has one header, its first line');
    if (value.type === 'benchmark') {
      const flaw = findFormatProtocolContradiction(value);
      if (flaw !== null) return lineProblem(flaw);
      header = value;
    }
    if (value.type === 'tool') tools.push(value.tool);
    if (value.type === 'unit') {
      if ((await computeUnitIdFromContent(value.unit)) !== value.unit.id)
        return lineProblem('its id is not of what the unit asks and expects');
      if (header !== null && unitKindOf(value.unit) !== getProtocol(protocolOfBenchmarkOrDefault(header)).unitKind)
        return lineProblem(`units of the protocol ${protocolOfBenchmarkOrDefault(header)} are of another kind`);
      units.push(value.unit);
    }
    hash = await extendHashChain(hash, canonicalJson(JSON.parse(text)));
  }
  if (header === null) return lineProblem('the header is missing');
  if (tools.length !== header.tools || units.length !== header.units)
    return lineProblem(
      `${header.tools} tools and ${header.units} units were promised; there are ${tools.length} and ${units.length}`,
    );
  const unproven = units.filter((unit) => !isEveryStepProven(unit)).length;
  if (header.unproven !== undefined && header.unproven !== unproven)
    return lineProblem(`${header.unproven} unproven units were promised; there are ${unproven}`);
  const { id: catalog } = await makeCatalog(tools);
  if (catalog !== header.catalog) return lineProblem(`its tools are the catalog ${catalog}, and not ${header.catalog}`);
  return ok({ header, tools, units, id: header.split === 'all' ? benchmarkIdFromHash(hash) : null });
}
