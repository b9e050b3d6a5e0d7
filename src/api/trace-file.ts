import {
  sealOfTraceHeader,
  sealAfterLineDigest,
  type TraceHeader,
  type TraceLine,
  type TraceSeal,
} from '#core/leaderboards/submissions/trace-file.ts';
import { makeTextStream } from './text-stream.ts';

/** Returns a trace file: the header, the attempts as they are read, and the seal, which is computed meanwhile. */
export function streamTraceFileWithHashSeal(
  header: TraceHeader,
  read: (after: Pick<TraceLine, 'unit' | 'trial'> | null) => Promise<readonly TraceLine[]>,
): ReadableStream<Uint8Array> {
  let seal: string | null = null;
  let attempts = 0;
  let after: TraceLine | null = null;
  let over = false;
  return makeTextStream(async () => {
    if (over) return null;
    if (seal === null) {
      seal = await sealOfTraceHeader(header);
      return `${JSON.stringify(header)}\n`;
    }
    const lines: readonly TraceLine[] = await read(after);
    for (const { sha256 } of lines) seal = await sealAfterLineDigest(seal, sha256);
    attempts += lines.length;
    after = lines.at(-1) ?? null;
    if (after !== null) return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    over = true;
    return `${JSON.stringify({ type: 'seal', attempts, sha256: seal } satisfies TraceSeal)}\n`;
  });
}
