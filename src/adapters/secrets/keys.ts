import { sha256Hex } from '#core/values/canonical.ts';

const encoder = new TextEncoder();

/** Returns the SHA-256 of an API key, in lower-case hex, which is stored instead of the key. */
export const hashApiKey = (key: string): Promise<string> => sha256Hex(key);

/** Compares two texts in a time that depends only on the length of the second. */
export function isEqualInConstantTime(secret: string, presented: string): boolean {
  const left = encoder.encode(secret);
  const right = encoder.encode(presented);
  let difference = left.length ^ right.length;
  for (let i = 0; i < right.length; i += 1) difference |= (left[i % Math.max(1, left.length)] ?? 0) ^ (right[i] ?? 0);
  return difference === 0;
}
