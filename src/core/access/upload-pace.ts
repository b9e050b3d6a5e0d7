/** What all uploads of one key together may take in a second: about what a single one takes of a thread that does nothing else. */
export const linesPerSecond = 4_000;
export const bytesPerSecond = 16 * 1024 * 1024;

/** A part of an upload that is handled without a pause. */
export interface UploadPiece {
  /** Lines that are not empty. */
  readonly lines: number;
  readonly bytes: number;
}

/**
 * Returns how long the next piece of a key has to wait, and until when those after it wait, by when the pieces before it
 * are paid for (`freeAtMs`; 0 without any). All times are milliseconds since 1970, with fractions.
 */
export function paceNextPiece(
  freeAtMs: number,
  { lines, bytes }: UploadPiece,
  nowMs: number,
): { readonly waitMs: number; readonly freeAtMs: number } {
  const startMs = Math.max(freeAtMs, nowMs);
  const takesMs = 1_000 * Math.max(lines / linesPerSecond, bytes / bytesPerSecond);
  return { waitMs: startMs - nowMs, freeAtMs: startMs + takesMs };
}
