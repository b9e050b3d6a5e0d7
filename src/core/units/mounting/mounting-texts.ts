import type { MountedSummary } from './mounted-counts.ts';
import type { Mounting } from './mounting.ts';

/** Says in words what a mounting shows. */
export function describeMounting(given: Mounting): string {
  switch (given.kind) {
    case 'oracle':
      return "the tools of the servers in the unit's chain, and no others";
    case 'standard':
      return `the tools of the chain's servers and of others drawn by seed, up to ${given.tools} tools and ${given.schemaTokens} schema tokens`;
    case 'distractors':
      return `the tools of the chain's servers and of ${given.servers} ${given.servers === 1 ? 'other' : 'others'} drawn by seed`;
    case 'max-scale':
      return 'all tools of the catalog';
  }
}

/** What figures that were made with `oracle` must not be taken for. */
export const oracleCaveat =
  'Under oracle an agent sees the servers that the chain uses and no others: its figures say how it uses tools that somebody picked for it, not how it finds them, and must not be compared with figures of another mounting.';

/** Formats a spread over units: the mean, and the least and the most where they differ. */
export const meanAndRangeText = ({ mean, least, most }: MountedSummary['tools']): string =>
  least === most ? String(most) : `${Math.round(mean)} (${least} to ${most})`;
