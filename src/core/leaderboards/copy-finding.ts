import type { Finding } from './submissions/findings.ts';

/** Two sketches of different submitters that share this much are copies. */
const copiedShare = 0.5;
/** Agents of one submitter may be alike; they are copies if they share this much. */
const ownCopiedShare = 0.9;

/** The entry that shares the most digests with a submission. */
export interface SharedEntry {
  readonly id: string;
  readonly name: string;
  readonly shared: number;
  /** Whether it is the same submitter's, under another name or taken off by a moderator. */
  readonly own: boolean;
  /** Whether a moderator took it off. */
  readonly takenOff: boolean;
}

/** Returns how many of a sketch's digests an entry of another submitter, or one of the same, must share to count as its original. */
export const computeCopyThresholds = (digests: number): { readonly others: number; readonly own: number } => ({
  others: digests * copiedShare,
  own: digests * ownCopiedShare,
});

/** Returns the finding about a submission that copies an entry; `digests` is the size of its sketch. */
export const makeCopyFinding = ({ id, name, shared, own, takenOff }: SharedEntry, digests: number): Finding => ({
  kind: 'identical-traces',
  where: `${shared} of ${digests} digests of its attempts`,
  message: `The attempts are those of "${name}" (${id}), ${copyOriginText(own, takenOff)}.`,
});

const copyOriginText = (own: boolean, takenOff: boolean): string => {
  if (!own) return 'an entry of another submitter';
  return takenOff
    ? 'an entry of the same submitter that a moderator took off'
    : 'an entry of the same submitter under another name';
};
