/** A new id: sorts by the time it was made, and cannot be guessed. */
export function newId(prefix: string, now: Date): string {
  const time = now.getTime().toString(36).padStart(9, '0');
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => (byte % 36).toString(36)).join('');
  return `${prefix}_${time}${random}`;
}
