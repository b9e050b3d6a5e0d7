import { describe, expect, it } from 'vitest';

import { emptyTable, lookUp } from '#core/exploration/table.ts';
import {
  listTrialsOldestFirst,
  forEachToolPassedOver,
  type Trial,
  type Trials,
  rememberedTrialsAfterMore,
} from '#core/exploration/trials.ts';
import { shareShownBeforePassOvers } from '#core/exploration/yields.ts';

const trial = (candidates: number[], chain: number[], round = 1): Trial => ({ round, candidates, chain });
const nothing: Trials = emptyTable();

/** The tools that could have followed one and that it could have followed, each with how often it counts, ascending. */
const passedOver = (made: Trial, tool: number) => {
  const to: [number, number][] = [];
  const from: [number, number][] = [];
  forEachToolPassedOver(
    made,
    tool,
    (other, times) => to.push([other, times]),
    (other, times) => from.push([other, times]),
  );
  return { to: to.toSorted(([a], [b]) => a - b), from: from.toSorted(([a], [b]) => a - b) };
};

describe('the pairs that a trial passed over', () => {
  const made = trial([1, 2, 3, 4, 5, 6, 7, 8], [3, 1, 5, 7, 8, 6]);

  it('are those to tools that the chain could still have taken instead, once each', () => {
    const once = (tools: number[]) => tools.map((tool) => [tool, 1]);
    expect(passedOver(made, 3)).toEqual({ to: once([2, 4, 5, 6, 7, 8]), from: [] });
    expect(passedOver(made, 1)).toEqual({ to: once([2, 4, 6, 7, 8]), from: [] });
    expect(passedOver(made, 5)).toEqual({ to: once([2, 4, 6, 8]), from: once([3]) });
  });

  it('are none from a tool that the chain never reached, but those to it from each tool that the chain left', () => {
    expect(passedOver(made, 2)).toEqual({
      to: [],
      from: [
        [1, 1],
        [3, 1],
        [5, 1],
        [7, 1],
        [8, 1],
      ],
    });
  });

  it('are none from the last tool of a chain of full length', () => {
    expect(passedOver(made, 6).to).toEqual([]);
  });

  it('are those from the last tool too if the chain could have been longer, and count more the shorter it is', () => {
    expect(passedOver(trial([1, 2, 3, 4, 5, 6], [3, 1, 4, 5, 6]), 6).to).toEqual([[2, 2]]);
    expect(passedOver(trial([1, 2, 3, 4, 5], [3, 1, 4, 5]), 5).to).toEqual([[2, 4]]);
    expect(passedOver(trial([1, 2, 3, 4], [3, 1, 4]), 4).to).toEqual([[2, 6]]);
    expect(passedOver(trial([1, 2, 3], [3, 1]), 1).to).toEqual([[2, 8]]);
    expect(passedOver(trial([1, 2, 3], [3, 1]), 2).from).toEqual([
      [1, 8],
      [3, 1],
    ]);
  });

  it('count at the end of a chain by the probability that it was meant to end there', () => {
    for (const length of [3, 4, 5, 6]) {
      const candidates = Array.from({ length: length + 1 }, (_, tool) => tool);
      const [[, times] = [0, 0]] = passedOver(trial(candidates, candidates.slice(0, length)), length - 1).to;
      // Uniform between 3 and 6: one of the lengths that are left.
      expect(1 - shareShownBeforePassOvers(times)).toBeCloseTo(1 / (7 - length));
    }
  });

  it('are all pairs of candidates if the set was rejected, and count most', () => {
    const both = [
      [1, 12],
      [3, 12],
    ];
    expect(passedOver(trial([1, 2, 3], []), 2)).toEqual({ to: both, from: both });
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
