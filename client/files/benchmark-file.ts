import type { Client } from '../client.ts';
import { writeFileAtomically } from './atomic-file.ts';

/** Writes a benchmark into a file. */
export async function exportBenchmarkToFile(
  client: Client,
  id: string,
  file: string,
  options: { readonly split?: 'all' | 'public' | undefined } = {},
): Promise<{ lines: number }> {
  let lines = 0;
  const pieces = async function* () {
    for await (const { text } of client.benchmarks.exportLines(id, options)) {
      lines += 1;
      yield `${text}\n`;
    }
  };
  await writeFileAtomically(file, pieces());
  return { lines };
}
