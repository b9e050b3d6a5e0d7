import { err, ok, type Result } from '#core/values/result.ts';

/** The type TXT and the class IN (RFC 1035, 3.2). */
const [txtType, internetClass] = [16, 1];
const headerBytes = 12;
const [longestLabel, longestName] = [63, 253];

/** Flags of a query: recursion desired. Bits of an answer: it is one, it was cut, and its code. */
const recursionDesired = 0x0100;
const [answerBit, cutBit, codeBits] = [0x8000, 0x0200, 0x000f];

/**
 * Returns the message that asks for the TXT records of a name (RFC 1035, 4.1). Its id is 0, as RFC 8484 wants it for caches. Null if
 * the name is none that DNS can have.
 */
export function makeTxtQuery(name: string): Uint8Array | null {
  const labels = name.split('.');
  const isName =
    name.length <= longestName &&
    labels.every((label) => label.length > 0 && label.length <= longestLabel && /^[\x21-\x7e]+$/.test(label));
  if (!isName) return null;
  const encoded = labels.flatMap((label) => [label.length, ...new TextEncoder().encode(label)]);
  const header = [0, 0, recursionDesired >> 8, recursionDesired & 0xff, 0, 1, 0, 0, 0, 0, 0, 0];
  return new Uint8Array([...header, ...encoded, 0, 0, txtType, 0, internetClass]);
}

/** What the answer of a resolver says: an error, or that it is not of the form of RFC 1035. */
export type DnsProblem =
  | { readonly reason: 'malformed' }
  | { readonly reason: 'cut' }
  | { readonly reason: 'code'; readonly code: number };

/** The name does not exist: its records are none. */
const noSuchName = 3;

/**
 * Reads the texts of the TXT records in an answer, each put together from its parts. Records of other types, such as those of aliases that
 * led to them, are passed over.
 */
export function readTxtAnswer(message: Uint8Array): Result<string[], DnsProblem> {
  if (message.length < headerBytes) return err({ reason: 'malformed' });
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const flags = view.getUint16(2);
  if ((flags & answerBit) === 0) return err({ reason: 'malformed' });
  if ((flags & cutBit) !== 0) return err({ reason: 'cut' });
  const code = flags & codeBits;
  if (code === noSuchName) return ok([]);
  if (code !== 0) return err({ reason: 'code', code });
  const questions = skipAll(view.getUint16(4), headerBytes, (at) => {
    const end = skipName(message, at);
    return end === null ? null : end + 4;
  });
  const texts: string[] = [];
  const end =
    questions === null ? null : skipAll(view.getUint16(6), questions, (at) => addRecordTextAndGetEnd(view, at, texts));
  return end === null || end > message.length ? err({ reason: 'malformed' }) : ok(texts);
}

/** Calls `skip` so often, each time with the place where the last one ended; null if one does. */
function skipAll(count: number, from: number, skip: (at: number) => number | null): number | null {
  let at: number | null = from;
  for (let n = 0; n < count && at !== null; n += 1) at = skip(at);
  return at;
}

/** Returns where a name ends: at an empty label, or after a pointer to an earlier one. Null if it does not. */
function skipName(message: Uint8Array, from: number): number | null {
  for (let at = from; ;) {
    const length = message[at];
    if (length === undefined) return null;
    if (length === 0) return at + 1;
    if (length >= 0xc0) return at + 2;
    if (length > longestLabel) return null;
    at += length + 1;
  }
}

/** Adds the text of a record, if it has one, and returns where it ends; null if it is broken. */
function addRecordTextAndGetEnd(view: DataView, from: number, texts: string[]): number | null {
  const message = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const at = skipName(message, from);
  const fixedBytes = 10;
  if (at === null || at + fixedBytes > view.byteLength) return null;
  const [type, length] = [view.getUint16(at), view.getUint16(at + 8)];
  const begin = at + fixedBytes;
  const end = begin + length;
  if (end > view.byteLength) return null;
  if (type !== txtType || view.getUint16(at + 2) !== internetClass) return end;
  const text = readText(message.subarray(begin, end));
  if (text === null) return null;
  texts.push(text);
  return end;
}

/** Puts the parts of a TXT record together, each of which begins with its length. */
function readText(data: Uint8Array): string | null {
  const parts: number[] = [];
  for (let at = 0; at < data.length;) {
    const length = data[at] ?? 0;
    if (at + 1 + length > data.length) return null;
    parts.push(...data.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return new TextDecoder().decode(new Uint8Array(parts));
}
