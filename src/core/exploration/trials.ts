import { lookUp, type Table, valuesOf, withEntries } from '#core/exploration/table.ts';

/** A candidate set that the generator was given in a round, and the chain that it wrote; none where it turned the set down. */
export interface Trial {
  readonly round: number;
  /** Numbers of tools. */
  readonly candidates: readonly number[];
  readonly chain: readonly number[];
}

/** The last trials of each tool, the oldest first, by its number: those that had it among their candidates. */
export type Trials = Table<number, readonly Trial[]>;

/** How many trials of a tool are remembered. It bounds the memory by the number of tools, however long a run is. */
const TRIALS_PER_TOOL = 128;

/** The memory after these trials, whatever their order; none of them is older than those in it. */
export const withTrials = (trials: Trials, made: readonly Trial[]): Trials => {
  const added = new Map<number, Trial[]>();
  for (const trial of made.toSorted(byAge))
    for (const tool of trial.candidates) {
      const ofTool = added.get(tool);
      if (ofTool) ofTool.push(trial);
      else added.set(tool, [trial]);
    }
  const changed = Array.from(added, ([tool, ofTool]): [number, readonly Trial[]] => [
    tool,
    [...(lookUp(trials, tool) ?? []), ...ofTool].slice(-TRIALS_PER_TOOL),
  ]);
  return withEntries(trials, new Map(changed));
};

/** Each remembered trial once, the oldest first. */
export const allTrials = (trials: Trials): Trial[] => {
  const all = new Set<Trial>();
  for (const ofTool of valuesOf(trials)) for (const trial of ofTool) all.add(trial);
  return [...all].toSorted(byAge);
};

// Trials of a round have no age among them, but an order all the same, so that the memory has one too.
const byAge = (a: Trial, b: Trial): number =>
  a.round - b.round || byNumbers(a.candidates, b.candidates) || byNumbers(a.chain, b.chain);

const byNumbers = (a: readonly number[], b: readonly number[]): number => {
  for (const [place, number] of a.entries()) {
    const difference = number - (b[place] ?? -1);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};

/** What a chain has at least, unless its candidates allow no more (the writer's rule). */
const SHORTEST_CHAIN = 3;

/**
 * The steps of a trial that begin or end at a tool and were passed over: `to` is called for each tool that could have followed it,
 * `from` for each that it could have followed. Where a chain went on from a tool, it passed over every candidate that it
 * had not used by then, but the one it took. Where it ended it passed over nothing, as it may have been long enough; unless it
 * is too short for that. In a set that was turned down, any tool could have followed any other.
 */
export const eachPassedOver = (
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
  const wentOn = chain.length < SHORTEST_CHAIN ? chain.length : chain.length - 1;
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
