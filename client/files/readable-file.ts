import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { whyNotText } from '../../engine/why-not.ts';
import { CommandError } from '../../engine/usage-error.ts';

/** A file to upload; its content is read while it is sent. */
export async function openFileAsBlobOrThrow(file: string): Promise<Blob> {
  try {
    if (!(await stat(file)).isFile()) throw new Error('it is no file');
    return await openAsBlob(file);
  } catch (cause) {
    throw new CommandError(`${file} cannot be read: ${whyNotText(cause)}`, { cause });
  }
}
