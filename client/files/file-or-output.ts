import { resolve } from 'node:path';
import { writeFileAtomically } from './atomic-file.ts';
import type { Output } from '../command-line/output.ts';

/**
 * Writes a text that arrives in chunks to a file, or to standard output if none is named. With --json a text that is no JSON Lines
 * becomes one value there, with what it is about.
 */
export async function writeToFileOrOutput(
  pieces: AsyncIterable<string> | Iterable<string>,
  to: string | undefined,
  output: Output,
  about: Readonly<Record<string, string>>,
  form: 'json-lines' | 'other' = 'json-lines',
): Promise<void> {
  if (to === undefined) {
    if (output.isJson && form === 'other') {
      const text = (await Array.fromAsync(pieces)).join('');
      return output.writeAsJsonOrLines({ ...about, text }, () => []);
    }
    for await (const piece of pieces) output.writeText(piece);
    return;
  }
  await writeFileAtomically(to, pieces);
  output.writeAsJsonOrLines({ ...about, file: to }, () => [resolve(to)]);
}
