import { lookUp, type Table, iterateTableValuesUnordered, tableWithEntries } from '#core/exploration/table.ts';

/** A candidate set that the generator got in a round, and the chain that it wrote; empty if it rejected the set. */
export interface Trial {
  readonly round: number;
  /** Tool numbers. */
  readonly candidates: readonly number[];
  readonly chain: readonly number[];
}

/** The last trials of each tool, oldest first, by number: those that had it among their candidates. */
export type Trials = Table<number, readonly Trial[]>;

/** Number of trials remembered for each tool. It bounds the memory by the number of tools, for runs of any length. */
const trialsPerTool = 128;

/** Returns the memory after these trials, in any order; none of them is older than those in it. */
export const rememberedTrialsAfterMore = (trials: Trials, made: readonly Trial[]): Trials => {
  const added = new Map<number, Trial[]>();
  for (const trial of made.toSorted(compareTrialsByAge))
    for (const tool of trial.candidates) {
      const ofTool = added.get(tool);
      if (ofTool) ofTool.push(trial);
      else added.set(tool, [trial]);
    }
  const changed = Array.from(added, ([tool, ofTool]): [number, readonly Trial[]] => [
    tool,
    [...(lookUp(trials, tool) ?? []), ...ofTool].slice(-trialsPerTool),
  ]);
  return tableWithEntries(trials, new Map(changed));
};

/** Returns each remembered trial once, oldest first. */
export const listTrialsOldestFirst = (trials: Trials): Trial[] => {
  const all = new Set<Trial>();
  for (const ofTool of iterateTableValuesUnordered(trials)) for (const trial of ofTool) all.add(trial);
  return [...all].toSorted(compareTrialsByAge);
};

// Trials of a round are equally old, but get a fixed order, so that the memory has one too.
const compareTrialsByAge = (a: Trial, b: Trial): number =>
  a.round - b.round || compareNumberLists(a.candidates, b.candidates) || compareNumberLists(a.chain, b.chain);

const compareNumberLists = (a: readonly number[], b: readonly number[]): number => {
  for (const [place, number] of a.entries()) {
    const difference = number - (b[place] ?? -1);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};

/** Minimum length of a chain, unless its candidates do not allow it (the writer's rule). */
const shortestChain = 3;

/**
 * Reports the steps of a trial from or to a tool that were passed over: calls `to` for each tool that could have
 * followed it, and `from` for each tool that it could have followed. If a chain continued from a tool, it passed over
 * every unused candidate except the one it took. At its end it passed over nothing, because it may have been long
 * enough, unless it is too short for that. In a rejected set, any tool could have followed any other.
 */
export const forEachToolPassedOver = (
  { candidates, chain }: Pick<Trial, 'candidates' | 'chain'>,
  tool: number,
  to: (other: number) => void,
  from: (other: number) => void,
): void => {
  if (chain.length === 0) {
    for (const other of candidates)
      if (other !== tool) {
        to(other);
        from(other);
      }
    return;
  }
  const wentOn = chain.length < shortestChain ? chain.length : chain.length - 1;
  const place = chain.indexOf(tool);
  if (place >= 0 && place < wentOn)
    for (const other of candidates) {
      const used = chain.indexOf(other);
      if (other !== tool && (used < 0 || used > place + 1)) to(other);
    }
  const before = place < 0 ? wentOn : place - 1;
  for (let source = 0; source < before; source++) {
    const other = chain[source];
    if (other !== undefined) from(other);
  }
};
