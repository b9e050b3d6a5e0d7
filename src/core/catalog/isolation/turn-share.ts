/** Who takes a turn at a server that attempts share: a run of the workspace that has it, or an agent that somebody else runs. */
export type TurnTaker = 'owner' | 'stranger';

/** How a server was shared between its owner's runs and strangers. Times are in milliseconds since 1970. */
export interface TurnShare {
  /** The last turn of a stranger, which ends in the future as long as nobody has ended it; null if there was none. */
  readonly strangers: { readonly fromMs: number; readonly toMs: number } | null;
  /** Turns of the owner's runs since then. */
  readonly ownersTurns: number;
  /** When a run of the owner last began, kept or ended a turn, or asked for one; null if none has. */
  readonly ownerSeenMs: number | null;
  /** When a run of the owner last asked in vain; null if it has had a turn since. */
  readonly ownerRefusedMs: number | null;
}

/** A server of which no run of the owner has heard for this long is free for strangers. */
export const ownerAwayMs = 5 * 60_000;

/** A run of the owner that was refused asks again within this time, and nobody else gets the turn before. */
export const ownerAsksAgainMs = 35_000;

/** For each turn of a stranger the owner's runs have as many, and as many times its duration. */
export const ownersPartsForOne = 3;

/** Returns whether a stranger may take the turn at a server that nobody uses: the owner's runs come first, and have three quarters. */
export function mayStrangerTakeTurn(
  { strangers, ownersTurns, ownerSeenMs, ownerRefusedMs }: TurnShare,
  nowMs: number,
): boolean {
  if (ownerSeenMs === null || nowMs - ownerSeenMs > ownerAwayMs) return true;
  if (ownerRefusedMs !== null && nowMs - ownerRefusedMs < ownerAsksAgainMs) return false;
  if (strangers === null) return true;
  const { fromMs, toMs } = strangers;
  return ownersTurns >= ownersPartsForOne && nowMs - toMs >= ownersPartsForOne * (toMs - fromMs);
}
