import { readTextFile } from './read-text-file.ts';
import { benchmarkLine, type BenchmarkLine } from '#core/benchmarks/benchmark.ts';
import { benchmarkLinesWithSampledUnits } from '#core/benchmarks/sample-file.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { CommandError } from '../../engine/usage-error.ts';

/** Returns a benchmark's file with only so many of its units. Throws a CommandError that names the line that is wrong. */
export async function readSampledBenchmark(
  file: string,
  sample: Parameters<typeof benchmarkLinesWithSampledUnits>[1],
): Promise<Blob> {
  const text = await readTextFile(file);
  const lines = text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(file, line, index + 1)]));
  return new Blob(benchmarkLinesWithSampledUnits(lines, sample).map((line) => `${JSON.stringify(line)}\n`));
}

function parseLine(file: string, text: string, number: number): BenchmarkLine {
  const json = parseJsonWithinLimits(text);
  if (!json.ok) throw new CommandError(`${file}, line ${number}: not JSON`);
  const parsed = benchmarkLine.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new CommandError(`${file}, line ${number}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
