import { resolve } from 'node:path';
import { writeFileAtomically } from './atomic-file.ts';
import type { Output } from '../command-line/output.ts';

/** Writes a text that arrives in chunks to a file, or to standard output if none is named. */
export async function writeToFileOrOutput(
  pieces: AsyncIterable<string> | Iterable<string>,
  to: string | undefined,
  output: Output,
  about: Readonly<Record<string, string>>,
): Promise<void> {
  if (to === undefined) {
    for await (const piece of pieces) output.writeText(piece);
    return;
  }
  await writeFileAtomically(to, pieces);
  output.writeAsJsonOrLines({ ...about, file: to }, () => [resolve(to)]);
}
