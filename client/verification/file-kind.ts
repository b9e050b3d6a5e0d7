import { z } from 'zod';
import { readLines } from '../http/read-lines.ts';
import { CommandError } from '../../engine/usage-error.ts';

/** A verifiable file, recognized by its beginning. */
export type VerifiableFile =
  | { readonly kind: 'record'; readonly json: unknown; readonly text: string }
  | { readonly kind: 'traces' }
  | { readonly kind: 'log' };

/** A record is one JSON value of a few kilobytes. */
const recordBytes = 4 * 1024 * 1024;

const traceLike = z.object({ type: z.enum(['traces', 'attempt', 'seal']) });
const logLike = z.object({ n: z.unknown(), kind: z.unknown(), hash: z.unknown() });
const recordLike = z.object({ record: z.unknown(), signature: z.unknown() });

/** Returns the kind of a file, whether or not it is valid. Throws if it is none of them. */
export async function recognizeFileOrThrow(name: string, file: Blob): Promise<VerifiableFile> {
  const first = parseJsonOrUndefined(await readFirstLine(file));
  if (traceLike.safeParse(first).success) return { kind: 'traces' };
  if (logLike.safeParse(first).success) return { kind: 'log' };
  const text = file.size <= recordBytes ? await file.text() : '';
  const json = parseJsonOrUndefined(text);
  if (recordLike.safeParse(json).success) return { kind: 'record', json, text };
  throw new CommandError(
    `${name} is neither a signed record (one JSON value), nor a file of traces, nor a leaderboard's log (both JSON Lines)`,
  );
}

async function readFirstLine(file: Blob): Promise<string> {
  for await (const line of readLines(file.stream())) return line;
  return '';
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON. The caller reports an unrecognized file if no other kind matches.
    return undefined;
  }
}
