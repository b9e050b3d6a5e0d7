import { describe, expect, it } from 'vitest';
import type { Call } from '#core/traces/transitions.ts';
import { isProven, makeWitness, unwitnessedSteps, witnessExtent, witnessExtents } from '#core/units/witness.ts';

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
    expect(isProven({ chain, witness })).toBe(extent === 'full');
  });

  it('that a unit of an earlier release lacks is unknown and proves nothing', () => {
    for (const witness of [null, undefined]) {
      expect(witnessExtent(chain, witness)).toBe('unknown');
      expect(isProven({ chain, witness })).toBe(false);
    }
    expect(witnessExtents).toHaveLength(4);
  });
});
