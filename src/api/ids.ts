const characters = 11;

/** A new id: sorts by the time it was made, and cannot be guessed (55 random bits). */
export function newId(prefix: string, now: Date): string {
  const time = now.getTime().toString(36).padStart(9, '0');
  const bytes = crypto.getRandomValues(new Uint8Array(characters));
  // 32 divides the 256 values of a byte: each character is equally likely.
  const random = Array.from(bytes, (byte) => (byte % 32).toString(32)).join('');
  return `${prefix}_${time}${random}`;
}
