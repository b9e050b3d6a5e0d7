import { paceNextPiece, type UploadPiece } from '#core/access/upload-pace.ts';

/** Resolves when a piece of an upload may be handled; other requests are answered meanwhile. */
export type GiveWay = (piece: UploadPiece) => Promise<void>;

/** When the pieces of each key's uploads are paid for, in this process, whose thread they share with all requests. */
const freeAtMsByKey = new Map<string, number>();
const mostKeys = 1_000;

/** Has the uploads of one key wait for each other, and each piece for the requests that came before it. */
export function makeUploadPace(key: string): GiveWay {
  return async (piece) => {
    const now = Date.now();
    const { waitMs, freeAtMs } = paceNextPiece(freeAtMsByKey.get(key) ?? 0, piece, now);
    if (freeAtMsByKey.size >= mostKeys) forgetPaidKeys(now);
    freeAtMsByKey.set(key, freeAtMs);
    // Also without a wait: only a timer lets the runtime see that other requests have come.
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}

function forgetPaidKeys(nowMs: number): void {
  for (const [key, freeAtMs] of freeAtMsByKey) if (freeAtMs <= nowMs) freeAtMsByKey.delete(key);
}
