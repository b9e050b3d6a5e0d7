const encoder = new TextEncoder();

/** SHA-256 of an API key, in lower-case hex: what is stored in the key's place. */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(key));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether two texts are equal, in a time that depends on the length of the second one alone. */
export function constantTimeEqual(secret: string, presented: string): boolean {
  const left = encoder.encode(secret);
  const right = encoder.encode(presented);
  let difference = left.length ^ right.length;
  for (let i = 0; i < right.length; i += 1) difference |= (left[i % Math.max(1, left.length)] ?? 0) ^ (right[i] ?? 0);
  return difference === 0;
}
