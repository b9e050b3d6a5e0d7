import { ok, type Result } from '#core/values/result.ts';
import type { GiveWay } from './upload-pace.ts';
import { readUploadInPieces, type Line } from './uploaded-lines.ts';

/**
 * Passes the lines of an upload on piece by piece as they arrive; stops at the first refusal, after passing on what came
 * before. `first` is the number of the first line.
 */
export async function writeUploadInPiecesUntilRefused(
  body: ReadableStream<Uint8Array>,
  giveWay: GiveWay,
  write: (lines: readonly Line[]) => Promise<Result<null>>,
  first = 1,
): Promise<Result<null>> {
  for await (const lines of readUploadInPieces(body, giveWay, first)) {
    if (!lines.ok) return lines;
    if (lines.value.length === 0) continue;
    const written = await write(lines.value);
    if (!written.ok) return written;
  }
  return ok(null);
}
