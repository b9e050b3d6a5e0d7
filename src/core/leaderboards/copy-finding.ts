import type { Finding } from '#core/submissions/findings.ts';

/** Two sketches that share this much are copies. */
const copiedShare = 0.5;

/** The entry that shares the most digests with a submission. */
export interface SharedEntry {
  readonly id: string;
  readonly name: string;
  readonly shared: number;
  /** Whether it is the same submitter's: an entry that a moderator took off. */
  readonly own: boolean;
}

/** Returns how many of a sketch's digests an entry must share to count as its original. */
export const minSharedDigests = (digests: number): number => digests * copiedShare;

/** Returns the finding about a submission that copies an entry; `digests` is the size of its sketch. */
export const copyFinding = ({ id, name, shared, own }: SharedEntry, digests: number): Finding => ({
  kind: 'identical-traces',
  where: `${shared} of ${digests} digests of its attempts`,
  message: `The attempts are those of "${name}" (${id}), ${own ? 'an entry of the same submitter that a moderator took off' : 'an entry of another submitter'}.`,
});
