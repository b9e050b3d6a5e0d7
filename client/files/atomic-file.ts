import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { whyNotText } from '../../engine/why-not.ts';
import { CommandError } from '../../engine/usage-error.ts';

/** Throws if a file cannot be written, before work is done whose result goes there. Changes nothing. */
export async function requireWritable(file: string): Promise<void> {
  const part = await openPart(file);
  await part.close();
  await rm(partFilePathOf(file), { force: true });
}

const partFilePathOf = (file: string): string => `${file}.part`;

const openPart = (file: string): Promise<FileHandle> =>
  open(partFilePathOf(file), 'w').catch((cause: unknown) => {
    throw new CommandError(`${file} cannot be written: ${whyNotText(cause)}`, { cause });
  });

/** Writes a file atomically: if writing fails, the old file stays. */
export async function writeFileAtomically(
  file: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const part = partFilePathOf(file);
  const handle = await openPart(file);
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
