import type { Client } from '../client.ts';
import { writeWhole } from './whole-file.ts';

/** Writes a benchmark into a file. */
export async function exportToFile(
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
  await writeWhole(file, pieces());
  return { lines };
}
