import { open, rename, rm } from 'node:fs/promises';
import { CommandError } from '../command-line/usage-error.ts';

/** Writes a file piece by piece. A file that is there under its name is whole: a writing that breaks leaves the old one. */
export async function writeWhole(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`;
  const handle = await open(part, 'w').catch((cause: unknown) => {
    throw new CommandError(`${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  });
  try {
    for await (const piece of pieces) await handle.write(piece);
    await handle.close();
    await rename(part, file);
  } catch (error) {
    await handle.close();
    await rm(part, { force: true });
    throw error;
  }
}
