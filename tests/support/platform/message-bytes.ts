/**
 * Returns the length of a value serialized for another isolate, within a tenth; bodies of streams are not part of a
 * message.
 */
export function messageBytes(value: unknown): number {
  const seen = new Set<object>();
  const left: unknown[] = [value];
  let bytes = 0;
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string') bytes += 2 + textBytes(next);
    else if (typeof next === 'number') bytes += isShort(next) ? 3 : 9;
    else if (typeof next === 'bigint') bytes += 9;
    else if (typeof next !== 'object' || next === null) bytes += 1;
    else if (!seen.has(next)) {
      seen.add(next);
      bytes += 4;
      if (ArrayBuffer.isView(next) || next instanceof ArrayBuffer) bytes += next.byteLength;
      else if (next instanceof Map) for (const entry of next) left.push(...entry);
      else if (next instanceof Set || Array.isArray(next)) for (const item of next) left.push(item);
      else for (const entry of Object.entries(next)) left.push(...entry);
    }
  }
  return bytes;
}

/** Whole numbers of 32 bits take a few bytes; all others take eight. */
const isShort = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31;

/** A text whose characters all fit into a byte takes one byte each; any other takes two. */
const textBytes = (text: string): number => (/^[\0-\u{ff}]*$/u.test(text) ? 1 : 2) * text.length;
