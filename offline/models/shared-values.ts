import { isMakingOrComputing, parseVerbAndNounOfToolName } from './tool-words.ts';
import type { Card } from '../cards/card.ts';

/** What sharing values needs to know of a tool. */
interface CardTool {
  readonly name: string;
  readonly card: Card;
}

/** The beginning of the kinds of derived cards. Two slots of such a kind mean the same thing of a server. */
export const ownKind = 'value:';

const listDerivedSlotKindsOfTool = ({ card }: CardTool): string[] =>
  Object.values(card.slots).flatMap(({ kind }) => (kind.startsWith(ownKind) ? [kind] : []));

/** Returns whether a tool makes what a slot of another means, so that the same value serves both. */
export const makesValueForSlot = (from: CardTool, to: CardTool, slot: string): boolean => {
  const kind = to.card.slots[slot]?.kind;
  return (
    kind !== undefined &&
    listDerivedSlotKindsOfTool(from).includes(kind) &&
    hasSampleOfKind(from, kind) &&
    isMakingOrComputing(parseVerbAndNounOfToolName(from.name))
  );
};

const hasSampleOfKind = ({ card }: CardTool, kind: string): boolean =>
  Object.values(card.slots).some((slot) => slot.kind === kind && slot.samples.length > 0);
