const characters = 11;

/** Returns a new id: it sorts by creation time and cannot be guessed (55 random bits). */
export function newId(prefix: string, now: Date): string {
  const time = now.getTime().toString(36).padStart(9, '0');
  const bytes = crypto.getRandomValues(new Uint8Array(characters));
  // 256 is a multiple of 32, so each character is equally likely.
  const random = Array.from(bytes, (byte) => (byte % 32).toString(32)).join('');
  return `${prefix}_${time}${random}`;
}

/** Whether a text can be the id of a watch. */
export const isWatchId = (text: string): boolean => /^wch_[0-9a-z]{9}[0-9a-v]{11}$/.test(text);
