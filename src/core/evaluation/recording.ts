import { z } from 'zod';
import { canonicalJson } from '../canonical.ts';
import { serverReply, type ServerReply } from '../server-reply.ts';

/** One call that a server answered in an attempt at a unit, and the answer. */
export const recordedCall = z.object({
  unit: z.string(),
  /** Opaque; only its order counts. */
  attempt: z.string(),
  /** `server/tool` */
  tool: z.string(),
  /** Canonical JSON. */
  arguments: z.string(),
  /** How often the attempt had made this same call before: servers may keep state. */
  occurrence: z.int().min(0),
  reply: serverReply,
});
export type RecordedCall = z.infer<typeof recordedCall>;

/** What tells calls of one attempt apart. */
export type CallKey = Pick<RecordedCall, 'tool' | 'arguments' | 'occurrence'>;

/** Gives the calls of one attempt their keys, in the order in which they are made. */
export function callKeys(): (tool: string, args: Readonly<Record<string, unknown>>) => CallKey {
  const made = new Map<string, number>();
  return (tool, args) => {
    const text = canonicalJson(JSON.parse(JSON.stringify(args, wellFormed)));
    const call = JSON.stringify([tool, text]);
    const occurrence = made.get(call) ?? 0;
    made.set(call, occurrence + 1);
    return { tool, arguments: text, occurrence };
  };
}

/** Models write lone surrogates now and then; canonical JSON has none. */
function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key.toWellFormed(), each]));
}

/**
 * Finds replies in the record of one unit. An attempt is answered with what it was answered itself, and where it did not
 * make the call, with what the attempt with the smallest id was answered: another agent replays what the first one saw.
 */
export function recordedReplies(
  recorded: readonly RecordedCall[],
  attempt: string,
): (key: CallKey) => ServerReply | undefined {
  const best = new Map<string, RecordedCall>();
  const precedes = (one: RecordedCall, other: RecordedCall): boolean =>
    other.attempt !== attempt && (one.attempt === attempt || one.attempt < other.attempt);
  for (const each of recorded) {
    const key = keyText(each);
    const found = best.get(key);
    if (found === undefined || precedes(each, found)) best.set(key, each);
  }
  return (key) => best.get(keyText(key))?.reply;
}

const keyText = (key: CallKey): string => JSON.stringify([key.tool, key.arguments, key.occurrence]);
