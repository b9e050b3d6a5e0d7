import { describe, expect, it } from 'vitest';
import type { Call } from '#core/traces/transitions.ts';
import {
  isEveryStepProven,
  makeWitness,
  unwitnessedStepsProvenElsewhere,
  unwitnessedSteps,
  witnessExtent,
  witnessExtents,
} from '#core/units/witness.ts';

const chain = ['a/search', 'a/fetch', 'b/save'];
const calls = (...tools: readonly string[]): Call[] =>
  tools.map((tool) => ({ tool: tool.replace('!', ''), ok: !tool.endsWith('!') }));

describe('a witness', () => {
  it('names the steps whose tool succeeded, by request, regardless of other calls and of the order', () => {
    const witness = makeWitness(chain, {
      source: calls('b/save', 'a/search!', 'x/other', 'a/search'),
      followUp: calls('a/fetch!'),
    });
    expect(witness).toEqual({ source: [1, 3], followUp: [] });
    expect(unwitnessedSteps(chain, witness)).toEqual([2]);
  });

  it('counts a call for one step only: a tool that the chain names twice has to succeed twice in one attempt', () => {
    const twice = ['a/search', 'a/fetch', 'a/search'];
    const once = makeWitness(twice, { source: calls('a/search', 'a/fetch'), followUp: calls('a/search') });
    expect(once).toEqual({ source: [1, 2], followUp: [1] });
    expect(witnessExtent(twice, once)).toBe('partial');
    const both = makeWitness(twice, { source: calls('a/search', 'a/search'), followUp: calls('a/fetch') });
    expect([both.source, witnessExtent(twice, both)]).toEqual([[1, 3], 'full']);
  });

  it.each([
    { source: [1, 2], followUp: [3], extent: 'full' },
    { source: [1, 2, 3], followUp: [], extent: 'full' },
    { source: [], followUp: [2], extent: 'partial' },
    { source: [], followUp: [], extent: 'none' },
  ] as const)('of $source and $followUp covers three steps: $extent', ({ source, followUp, extent }) => {
    const witness = { source: [...source], followUp: [...followUp] };
    expect(witnessExtent(chain, witness)).toBe(extent);
    expect(isEveryStepProven({ chain, witness })).toBe(extent === 'full');
  });

  it('that a unit of an earlier release lacks is unknown and proves nothing', () => {
    for (const witness of [null, undefined]) {
      expect(witnessExtent(chain, witness)).toBe('unknown');
      expect(isEveryStepProven({ chain, witness })).toBe(false);
    }
    expect(witnessExtents).toHaveLength(4);
  });
});

describe('a unit that was not carried out as a whole', () => {
  const witness = { source: [1], followUp: [] };
  const elsewhere = (known: typeof witness | null, ...tools: readonly string[]): number[] =>
    unwitnessedStepsProvenElsewhere(chain, known, (tool) => tools.includes(tool));

  it('is proven if the tools of its other steps have a success elsewhere, and only then', () => {
    const all = elsewhere(witness, 'a/search', 'a/fetch', 'b/save');
    expect(all).toEqual([2, 3]);
    expect(isEveryStepProven({ chain, witness, provenElsewhere: all })).toBe(true);
    const some = elsewhere(witness, 'a/fetch');
    expect(some).toEqual([2]);
    expect(isEveryStepProven({ chain, witness, provenElsewhere: some })).toBe(false);
    expect(witnessExtent(chain, witness)).toBe('partial');
  });

  it('is proven without any step of its own, as is one of an earlier release', () => {
    for (const own of [null, { source: [], followUp: [] }]) {
      const all = elsewhere(own, ...chain);
      expect(all).toEqual([1, 2, 3]);
      expect(isEveryStepProven({ chain, witness: own, provenElsewhere: all })).toBe(true);
      expect(isEveryStepProven({ chain, witness: own, provenElsewhere: elsewhere(own, 'a/fetch', 'b/save') })).toBe(
        false,
      );
    }
  });
});
