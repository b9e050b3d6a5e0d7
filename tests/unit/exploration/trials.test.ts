import { describe, expect, it } from 'vitest';

import { emptyTable, lookUp } from '#core/exploration/table.ts';
import {
  listTrialsOldestFirst,
  forEachToolPassedOver,
  type Trial,
  type Trials,
  rememberedTrialsAfterMore,
} from '#core/exploration/trials.ts';

const trial = (candidates: number[], chain: number[], round = 1): Trial => ({ round, candidates, chain });
const nothing: Trials = emptyTable();

const passedOver = (made: Trial, tool: number) => {
  const to: number[] = [];
  const from: number[] = [];
  forEachToolPassedOver(
    made,
    tool,
    (other) => to.push(other),
    (other) => from.push(other),
  );
  return { to, from: from.toSorted((a, b) => a - b) };
};

describe('the pairs that a trial passed over', () => {
  const made = trial([1, 2, 3, 4, 5], [3, 1, 5]);

  it('are those to tools that the chain could still have taken instead', () => {
    expect(passedOver(made, 3)).toEqual({ to: [2, 4, 5], from: [] });
    expect(passedOver(made, 1)).toEqual({ to: [2, 4], from: [] });
    expect(passedOver(made, 5)).toEqual({ to: [], from: [3] });
  });

  it('are none from a tool that the chain never reached', () => {
    expect(passedOver(made, 2)).toEqual({ to: [], from: [1, 3] });
  });

  it('are none from the last tool, unless the chain is too short to be meant that way', () => {
    expect(passedOver(trial([1, 2, 3], [3, 1]), 1)).toEqual({ to: [2], from: [] });
    expect(passedOver(trial([1, 2, 3, 4], [3, 1, 4]), 4)).toEqual({ to: [], from: [3] });
  });

  it('are all pairs of candidates if the set was rejected', () => {
    expect(passedOver(trial([1, 2, 3], []), 2)).toEqual({ to: [1, 3], from: [1, 3] });
  });
});

describe('the memory of trials', () => {
  it('keeps the last 128 trials of each tool', () => {
    let trials = nothing;
    for (let round = 1; round <= 200; round++)
      trials = rememberedTrialsAfterMore(trials, [trial([1, round % 2 === 0 ? 2 : 3], [], round)]);
    const rounds = (tool: number): number[] => (lookUp(trials, tool) ?? []).map(({ round }) => round);
    expect(rounds(1)).toEqual(Array.from({ length: 128 }, (_, i) => i + 73));
    expect(rounds(2)).toHaveLength(100);
    expect(rounds(3)).toHaveLength(100);
    // Those that one of their tools still remembers.
    expect(listTrialsOldestFirst(trials).map(({ round }) => round)).toEqual(
      Array.from({ length: 200 }, (_, i) => i + 1),
    );
  });

  it('does not depend on the order of simultaneous trials', () => {
    const made = [trial([3, 1], [3, 1]), trial([1, 2], []), trial([1, 2], [2, 1])];
    expect(rememberedTrialsAfterMore(nothing, made.toReversed())).toEqual(rememberedTrialsAfterMore(nothing, made));
    expect(listTrialsOldestFirst(rememberedTrialsAfterMore(nothing, made))).toEqual([made[1], made[2], made[0]]);
  });
});
