import type { PastCall } from './conversation.ts';

/** Calls with what their repeats returned. */
export interface Settled {
  /** Each call once, with the result of its repeat if it was repeated. */
  readonly settled: readonly PastCall[];
  /** Those that are still to be repeated. */
  readonly open: readonly PastCall[];
}

/** Joins calls with their repeats: a later call of the same function with the same arguments, at most one for each. */
export const settleRepeats = (calls: readonly PastCall[], deservesRepeat: (call: PastCall) => boolean): Settled => {
  const settled: PastCall[] = [];
  const open = new Map<string, { readonly at: number; readonly call: PastCall }>();
  for (const call of calls) {
    const key = `${call.name} ${call.arguments}`;
    const repeated = open.get(key);
    open.delete(key);
    if (repeated !== undefined) {
      settled[repeated.at] = call;
      continue;
    }
    if (deservesRepeat(call)) open.set(key, { at: settled.length, call });
    settled.push(call);
  }
  return { settled, open: [...open.values()].map(({ call }) => call) };
};

const wordsForNothing =
  /^[\s\p{P}]*(?:nothing|none|null|undefined|empty|no (?:results?|content|output|data|text|items|entries))?[\s\p{P}]*$/iu;

/** Returns whether a result has nothing in it: no text, a word for nothing, or JSON without a value. */
export const isEmptyResult = (text: string): boolean => {
  if (wordsForNothing.test(text)) return true;
  try {
    return holdsNothing(JSON.parse(text));
  } catch {
    return false;
  }
};

const holdsNothing = (value: unknown): boolean => {
  if (typeof value === 'string') return value.trim() === '';
  if (value === null) return true;
  return typeof value === 'object' && Object.values(value).every(holdsNothing);
};
