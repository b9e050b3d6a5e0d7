import { open, rename, rm } from 'node:fs/promises';
import { CommandError } from './command-line/usage-error.ts';
import type { Client } from './client.ts';

/** Writes a benchmark into a file. A file that is there under its name is whole: an export that breaks leaves the old one. */
export async function exportToFile(
  client: Client,
  id: string,
  file: string,
  options: { readonly split?: 'all' | 'public' | undefined } = {},
): Promise<{ lines: number }> {
  const part = `${file}.part`;
  const handle = await open(part, 'w').catch((cause: unknown) => {
    throw new CommandError(`${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  });
  try {
    let lines = 0;
    for await (const { text } of client.benchmarks.exportLines(id, options)) {
      await handle.write(`${text}\n`);
      lines += 1;
    }
    await handle.close();
    await rename(part, file);
    return { lines };
  } catch (error) {
    await handle.close();
    await rm(part, { force: true });
    throw error;
  }
}
