import { sha256Hex } from '#core/canonical.ts';

const encoder = new TextEncoder();

/** SHA-256 of an API key, in lower-case hex: what is stored in the key's place. */
export const hashKey = (key: string): Promise<string> => sha256Hex(key);

/** Whether two texts are equal, in a time that depends on the length of the second one alone. */
export function constantTimeEqual(secret: string, presented: string): boolean {
  const left = encoder.encode(secret);
  const right = encoder.encode(presented);
  let difference = left.length ^ right.length;
  for (let i = 0; i < right.length; i += 1) difference |= (left[i % Math.max(1, left.length)] ?? 0) ^ (right[i] ?? 0);
  return difference === 0;
}
