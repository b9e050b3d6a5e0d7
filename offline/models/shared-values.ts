import { isMakingOrComputing, parseVerbAndNounOfToolName } from './tool-words.ts';
import type { KnownTool } from './tools.ts';

/** The beginning of the kinds of derived cards. Two slots of such a kind mean the same thing of a server. */
export const ownKind = 'value:';

const listDerivedSlotKindsOfTool = ({ card }: KnownTool): string[] =>
  Object.values(card.slots).flatMap(({ kind }) => (kind.startsWith(ownKind) ? [kind] : []));

/** Returns whether a tool makes what a slot of another means, so that the same value serves both. */
export const makesValueForSlot = (from: KnownTool, to: KnownTool, slot: string): boolean => {
  const kind = to.card.slots[slot]?.kind;
  return (
    kind !== undefined &&
    listDerivedSlotKindsOfTool(from).includes(kind) &&
    hasSampleOfKind(from, kind) &&
    isMakingOrComputing(parseVerbAndNounOfToolName(from.name))
  );
};

const hasSampleOfKind = ({ card }: KnownTool, kind: string): boolean =>
  Object.values(card.slots).some((slot) => slot.kind === kind && slot.samples.length > 0);
