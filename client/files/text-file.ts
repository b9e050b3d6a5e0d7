import { writeWhole } from './whole-file.ts';
import type { Output } from '../command-line/output.ts';

/** Writes a text that arrives in chunks to a file, or to standard output if none is named. */
export async function writeText(
  pieces: AsyncIterable<string>,
  to: string | undefined,
  output: Output,
  about: Readonly<Record<string, string>>,
): Promise<void> {
  if (to === undefined) {
    for await (const piece of pieces) output.text(piece);
    return;
  }
  await writeWhole(to, pieces);
  output.value({ ...about, file: to }, () => [to]);
}
