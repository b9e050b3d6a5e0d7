import { readFile } from 'node:fs/promises';
import { UsageError } from '../../engine/usage-error.ts';
import { whyNotText } from '../../engine/why-not.ts';

/** Reads a file that a line names. Throws a UsageError that says why it cannot be read. */
export const readTextFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be read: ${whyNotText(cause)}`, { cause });
  });
