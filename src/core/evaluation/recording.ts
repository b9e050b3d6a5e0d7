import { z } from 'zod';
import { canonicalJson } from '#core/values/canonical.ts';
import { infrastructureFault } from '#core/models/faults.ts';
import { serverReply } from '#core/catalog/server-reply.ts';
import { rulesByServer, type RulesByServer } from '#core/catalog/redaction/rules.ts';
import { charsPerCall } from './chars-per-call.ts';

/** What became of a recorded call: the server's answer, or the fault that spoilt the call. */
export const recordedReply = z.union([serverReply, z.object({ kind: z.literal('fault'), fault: infrastructureFault })]);
export type RecordedReply = z.infer<typeof recordedReply>;

/** A call that was sent to a server in an attempt at a unit, and what became of it. */
export const recordedCall = z.object({
  unit: z.string(),
  /** Opaque; only its order matters. */
  attempt: z.string(),
  /** `server/tool` */
  tool: z.string(),
  /** Canonical JSON. */
  arguments: z.string(),
  /** How often the attempt had made this same call before, because servers may keep state. */
  occurrence: z.int().min(0),
  reply: recordedReply,
});
export type RecordedCall = z.infer<typeof recordedCall>;

/** The version of the file format. */
export const recordingFormat = 1;

/** Whether the calls may include those of private units. Older recordings do not say, so they may. */
const recordsPrivate = z.boolean().default(true);

/** The first line of a recording's file; the others are its calls. */
export const recordingHeader = z.object({
  type: z.literal('recording'),
  format: z.literal(recordingFormat),
  benchmark: z.string().max(100),
  calls: z.int().min(0),
  private: recordsPrivate,
  redact: rulesByServer,
});

/** The servers' answers in one evaluation. */
export const recordingRecord = z.object({
  id: z.string(),
  benchmark: z.string(),
  createdAt: z.string(),
  private: recordsPrivate,
  /** What was kept out of it, by server. */
  redact: rulesByServer,
  attempts: z.int(),
  calls: z.int(),
});
export type RecordingRecord = z.infer<typeof recordingRecord>;

/** A recording in a list. */
export const recordingSummary = recordingRecord.pick({ id: true, createdAt: true });
export type RecordingSummary = z.infer<typeof recordingSummary>;

/** A page of recorded calls, and where the next page begins; `next` is null after the last one. */
export interface RecordedCallPage {
  readonly calls: readonly RecordedCall[];
  readonly next: number | null;
}

/** Where recorded calls are stored. */
export interface RecordingStore {
  /** Stores calls of one attempt; the first part replaces whatever was stored for it. */
  replaceOrAppendCalls(
    unit: string,
    attempt: string,
    calls: readonly RecordedCall[],
    part: 'first' | 'further',
  ): Promise<void>;
  /** Returns a page of the calls for an attempt's replay: its own, and for others the first attempt's. */
  pageForReplay(unit: string, attempt: string, after: number): Promise<RecordedCallPage>;
  /** Returns what was kept out of the calls. */
  redactionRules(): Promise<RulesByServer>;
}

/** Writes all calls of one attempt, in as many parts as needed. Repeating it replaces them. */
export async function storeRecordedCalls(
  store: Pick<RecordingStore, 'replaceOrAppendCalls'>,
  unit: string,
  attempt: string,
  calls: readonly RecordedCall[],
): Promise<void> {
  const [first = [], ...further] = splitCallsIntoParts(calls);
  await store.replaceOrAppendCalls(unit, attempt, first, 'first');
  for (const part of further) await store.replaceOrAppendCalls(unit, attempt, part, 'further');
}

function splitCallsIntoParts(calls: readonly RecordedCall[]): RecordedCall[][] {
  const parts: RecordedCall[][] = [];
  let chars = Infinity;
  for (const call of calls) {
    const length = JSON.stringify(call).length;
    if (chars + length > charsPerCall) {
      parts.push([]);
      chars = 0;
    }
    parts.at(-1)?.push(call);
    chars += length;
  }
  return parts;
}

/** Reads everything that the replay of an attempt may need. */
export async function readCallsForReplay(
  store: Pick<RecordingStore, 'pageForReplay'>,
  unit: string,
  attempt: string,
): Promise<RecordedCall[]> {
  const calls: RecordedCall[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: RecordedCallPage = await store.pageForReplay(unit, attempt, after);
    calls.push(...page.calls);
    after = page.next;
  }
  return calls;
}

/** Identifies a call within an attempt. */
export type CallKey = Pick<RecordedCall, 'tool' | 'arguments' | 'occurrence'>;

/** A call as an agent made it. */
export interface MadeCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Returns a function that gives each further call of one attempt its key; `earlier` calls were made before. */
export function makeCallKeyAssigner(
  earlier: readonly MadeCall[] = [],
): (tool: string, args: Readonly<Record<string, unknown>>) => CallKey {
  const made = new Map<string, number>();
  const nextKey = (tool: string, args: Readonly<Record<string, unknown>>): CallKey => {
    const text = canonicalJson(args);
    const call = JSON.stringify([tool, text]);
    const occurrence = made.get(call) ?? 0;
    made.set(call, occurrence + 1);
    return { tool, arguments: text, occurrence };
  };
  for (const call of earlier) nextKey(call.tool, call.arguments);
  return nextKey;
}

/**
 * Returns a function that finds replies in the recorded attempts at one unit. An attempt gets its own recorded answers; for calls that it did
 * not make, it gets those of the attempt with the smallest id: another agent replays what the first one saw.
 */
export function makeReplyFinderWithFallback(
  recorded: readonly RecordedCall[],
  attempt: string,
): (key: CallKey) => RecordedReply | undefined {
  const best = new Map<string, RecordedCall>();
  const isBetterMatch = (one: RecordedCall, other: RecordedCall): boolean =>
    other.attempt !== attempt && (one.attempt === attempt || one.attempt < other.attempt);
  for (const each of recorded) {
    const key = callKeyText(each);
    const found = best.get(key);
    if (found === undefined || isBetterMatch(each, found)) best.set(key, each);
  }
  return (key) => best.get(callKeyText(key))?.reply;
}

/** Returns a key as text. */
export const callKeyText = (key: CallKey): string => JSON.stringify([key.tool, key.arguments, key.occurrence]);
