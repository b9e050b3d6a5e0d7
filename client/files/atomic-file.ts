import { open, rename, rm } from 'node:fs/promises';
import { CommandError } from '../command-line/usage-error.ts';

/** Writes a file atomically: if writing fails, the old file stays. */
export async function writeFileAtomically(
  file: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
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
