import type { BenchmarkService } from '../../services.ts';
import { textStream } from '../../text-stream.ts';

const linesPerRead = 100;

/** A benchmark's file as it is sent. */
export function benchmarkFile(benchmark: BenchmarkService, split: 'all' | 'public'): ReadableStream<Uint8Array> {
  let from = 1;
  return textStream(async () => {
    const lines = await benchmark.exportLines(split, from, linesPerRead);
    from += lines.length;
    return lines.length === 0 ? null : `${lines.join('\n')}\n`;
  });
}
