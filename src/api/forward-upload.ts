import type { Result } from '#core/values/result.ts';
import { readNonEmptyUploadedLines, type Line } from './uploaded-lines.ts';
import { charsPerCall } from '#core/evaluation/chars-per-call.ts';

const linesPerWrite = 100;
/**
 * Passes the lines of an upload on in batches as they arrive; stops at the first refusal, after passing on what came
 * before. `first` is the number of the first line.
 */
export async function writeUploadInBatchesUntilRefused(
  body: ReadableStream<Uint8Array>,
  write: (lines: readonly Line[]) => Promise<Result<null>>,
  first = 1,
): Promise<Result<null>> {
  let waiting: Line[] = [];
  let chars = 0;
  for await (const line of readNonEmptyUploadedLines(body, first)) {
    if (!line.ok) {
      const written = await write(waiting);
      return written.ok ? line : written;
    }
    waiting.push(line.value);
    chars += line.value.text.length;
    if (waiting.length < linesPerWrite && chars < charsPerCall) continue;
    const written = await write(waiting);
    if (!written.ok) return written;
    [waiting, chars] = [[], 0];
  }
  return write(waiting);
}
