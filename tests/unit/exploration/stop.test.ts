import { describe, expect, it } from 'vitest';

import { computeReading } from '#core/exploration/reading.ts';
import { initialState } from '#core/exploration/state.ts';
import { exhaustedPart } from '#core/budget.ts';
import { explorationEndReason, stopRuleReason } from '#core/exploration/stop.ts';

import { table5 } from '../richness/table-5.ts';
import { smallCatalog } from './world.ts';

const reading = computeReading(initialState(smallCatalog));
const chao1 = { rule: 'chao1', target: 0.8 } as const;
const probe = { rule: 'probe', target: 0.8 } as const;

describe('stop rules', () => {
  it('let chao1 fire at batch 31 of Table 5 and not before', () => {
    const fired = table5.map(([S, , f1], index) =>
      stopRuleReason(
        chao1,
        { transitions: S, f1, probeCoverage: null },
        table5.slice(0, index + 1).map(([, estimate]) => estimate),
      ),
    );
    expect(fired.slice(0, 30)).toEqual(new Array(30).fill(null));
    expect(fired[30]).toBe('chao1-plateau');
  });

  it('let chao1 fire if nothing is unseen, but not before anything was seen or on one singleton', () => {
    expect(stopRuleReason(chao1, { transitions: 5, f1: 0, probeCoverage: null }, [])).toBe('chao1-reached');
    expect(stopRuleReason(chao1, { transitions: 1, f1: 1, probeCoverage: null }, [])).toBeNull();
    expect(stopRuleReason(chao1, reading, [])).toBeNull();
  });

  it('let probe fire when the anytime bound reaches the target', () => {
    const share = { value: 0.9, designEffect: 1, low: 0.8, high: 0.95, transitions: 200, probes: 60 };
    const at = (anytimeLow: number) => ({ ...reading, probeCoverage: { ...share, anytimeLow } });
    expect(stopRuleReason(probe, at(0.79), [])).toBeNull();
    expect(stopRuleReason(probe, at(0.8), [])).toBe('probe-target');
    expect(stopRuleReason(probe, reading, [])).toBeNull();
  });

  it('let none never fire', () => {
    expect(
      stopRuleReason({ rule: 'none', target: 0.8 }, { transitions: 5, f1: 0, probeCoverage: null }, []),
    ).toBeNull();
  });
});

describe('budgets', () => {
  const spent = { rounds: 5, tokens: 100, costUsd: 1, wallMs: 1_000 };

  it('name the first part that is used up', () => {
    expect(exhaustedPart({ rounds: 6 }, spent)).toBeNull();
    expect(exhaustedPart({ rounds: 5, tokens: 1 }, spent)).toBe('rounds');
    expect(exhaustedPart({ rounds: 6, tokens: 101, costUsd: 1, wallMs: 1 }, spent)).toBe('costUsd');
    expect(exhaustedPart({ rounds: 6, wallMs: 1_000 }, spent)).toBe('wallMs');
  });
});

describe('the end of a run', () => {
  const config = { stop: chao1, budget: { rounds: 5, tokens: 1_000 } };
  const spent = { rounds: 5, tokens: 1, costUsd: 0, wallMs: 0 };

  it('names the stop rule, even if the budget is used up too', () => {
    expect(explorationEndReason(config, { transitions: 5, f1: 0, probeCoverage: null }, [], spent)).toBe(
      'stop rule: chao1-reached',
    );
  });

  it('names the part of the budget that is used up', () => {
    expect(explorationEndReason(config, reading, [], spent)).toBe('budget: rounds used up');
    expect(explorationEndReason(config, reading, [], { ...spent, rounds: 4 })).toBeNull();
  });
});
