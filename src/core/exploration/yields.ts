import { relationOfTools, relations } from '#core/catalog/relation.ts';
import type { CatalogIndex } from '#core/exploration/catalog-index.ts';
import { hintLevelCount } from '#core/exploration/hint/hint-levels.ts';
import type { TransitionCount } from './counts.ts';
import { lookUp, type Table } from '#core/exploration/table.ts';
import { forEachToolPassedOver, type Trial, type Trials } from '#core/exploration/trials.ts';

/**
 * The counts of one kind of pairs. A kind is the relation of two tools (one server, one domain, neither) and the level
 * of the schema hint.
 */
export interface Yield {
  /** Executed transitions. */
  readonly found: number;
  /**
   * Pairs passed over and not found, each counted by the share of transitions that would have shown by then
   * (`shareShownBeforePassOvers`).
   */
  readonly missed: number;
}

export const noYields: readonly Yield[] = Array.from({ length: relations.length * hintLevelCount }, () => ({
  found: 0,
  missed: 0,
}));

/** Returns a pair's kind: its index among the yields. */
export const yieldIndexOfToolPair = ({ tools, hintLevel }: CatalogIndex, from: number, to: number): number => {
  const source = tools[from];
  const target = tools[to];
  const relation = source && target ? relations.indexOf(relationOfTools(source, target)) : 0;
  return relation * hintLevelCount + hintLevel(from, to);
};

/** Returns the probability that a new pair of a kind is a transition, between 0 and 1; a quarter before any trial. */
export const probabilityThatPairIsTransition = ({ found, missed }: Yield): number => (found + 1) / (found + missed + 4);

/**
 * Returns the share of transitions that show before they have been passed over n times. Transitions have exponentially
 * distributed rates, so one stays unseen n times with probability 1 / (1 + n), and its expected rate is then 1 / (1 +
 * n) of the original (a gamma prior with shape 1 against Poisson counts).
 */
export const shareShownBeforePassOvers = (times: number): number => times / (1 + times);

/** A commit's changes: trials in any order, and the transitions that it discovered. */
export interface CommitChanges {
  readonly trials: readonly Trial[];
  readonly discovered: readonly number[];
}

/** Returns the yields after a commit; `past` has the trials before it, `transitions` the counts after it. */
export const yieldsAfterCommit = (
  yields: readonly Yield[],
  catalog: CatalogIndex,
  transitions: Table<number, TransitionCount>,
  past: Trials,
  { trials, discovered }: CommitChanges,
): readonly Yield[] => {
  const size = catalog.tools.length;
  const found = yields.map((each) => each.found);
  const missed = yields.map((each) => each.missed);
  const before = new Map<number, ReadonlyMap<number, number>>();
  const timesPassedOver = (from: number, to: number): number => {
    const known = before.get(from) ?? countPassOversAfterTool(lookUp(past, from) ?? [], from);
    before.set(from, known);
    return known.get(to) ?? 0;
  };
  for (const pair of discovered) {
    const [from, to] = [Math.floor(pair / size), pair % size];
    const kind = yieldIndexOfToolPair(catalog, from, to);
    found[kind] = (found[kind] ?? 0) + 1;
    missed[kind] = Math.max(0, (missed[kind] ?? 0) - shareShownBeforePassOvers(timesPassedOver(from, to)));
  }
  const sources = new Set(trials.flatMap(({ candidates, chain }) => (chain.length === 0 ? candidates : chain)));
  // In ascending order, so that sums are reproducible.
  for (const from of [...sources].toSorted(compareNumbers))
    for (const [to, times] of [...countPassOversAfterTool(trials, from)].toSorted(([a], [b]) => compareNumbers(a, b))) {
      if ((lookUp(transitions, from * size + to)?.executed ?? 0) > 0) continue;
      const earlier = timesPassedOver(from, to);
      const kind = yieldIndexOfToolPair(catalog, from, to);
      missed[kind] =
        (missed[kind] ?? 0) + shareShownBeforePassOvers(earlier + times) - shareShownBeforePassOvers(earlier);
    }
  return yields.map((_, kind) => ({ found: found[kind] ?? 0, missed: missed[kind] ?? 0 }));
};

/** Returns how often these trials passed over each tool directly after `from`. */
const countPassOversAfterTool = (trials: readonly Trial[], from: number): Map<number, number> => {
  const times = new Map<number, number>();
  for (const trial of trials)
    if (trial.candidates.includes(from))
      forEachToolPassedOver(trial, from, (to) => times.set(to, (times.get(to) ?? 0) + 1), doNothing);
  return times;
};

const doNothing = (): void => undefined;

const compareNumbers = (a: number, b: number): number => a - b;
