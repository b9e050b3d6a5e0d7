import { describe, expect, it } from 'vitest';

import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import { makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import { explorationConfig } from '#core/exploration/config.ts';
import { chao1PlateauMeanOrNull } from '#core/exploration/plateau.ts';
import { computeRoundReading } from '#core/exploration/reading.ts';
import { initialState } from '#core/exploration/state.ts';
import { findExhaustedPartOfBudget } from '#core/exploration/budget.ts';
import {
  endOfRunWithoutServersOrNull,
  explorationEndReasonOrNull,
  explorationEndStatusAndReason,
  stopRuleReasonOrNull,
} from '#core/exploration/stop.ts';

import { table5 } from '../richness/table-5.ts';
import { outcome, ran, smallCatalog } from './world.ts';

const reading = computeRoundReading(initialState(smallCatalog), { strategy: 'sgvef' });
const chao1 = { rule: 'chao1', target: 0.8 } as const;
const probe = { rule: 'probe', target: 0.8 } as const;

describe('stop rules', () => {
  it('let chao1 fire at batch 31 of Table 5 and not before', () => {
    const fired = table5.map(([S, , f1], index) =>
      stopRuleReasonOrNull(
        chao1,
        { transitions: S, f1, probeCoverage: null, transitionCoverage: null },
        table5.slice(0, index + 1).map(([, estimate]) => estimate),
      ),
    );
    expect(fired.slice(0, 30)).toEqual(new Array(30).fill(null));
    expect(fired[30]).toBe('chao1-plateau');
  });

  it('let chao1 fire if nothing is unseen, but not before anything was seen or on one singleton', () => {
    expect(
      stopRuleReasonOrNull(chao1, { transitions: 5, f1: 0, probeCoverage: null, transitionCoverage: null }, []),
    ).toBe('chao1-reached');
    expect(
      stopRuleReasonOrNull(chao1, { transitions: 1, f1: 1, probeCoverage: null, transitionCoverage: null }, []),
    ).toBeNull();
    expect(stopRuleReasonOrNull(chao1, reading, [])).toBeNull();
  });

  it('let probe fire when the anytime bound reaches the target', () => {
    const share = { value: 0.9, designEffect: 1, low: 0.8, high: 0.95, transitions: 200, probes: 60 };
    const at = (anytimeLow: number) => ({ ...reading, probeCoverage: { ...share, anytimeLow } });
    expect(stopRuleReasonOrNull(probe, at(0.79), [])).toBeNull();
    expect(stopRuleReasonOrNull(probe, at(0.8), [])).toBe('probe-target');
    expect(stopRuleReasonOrNull(probe, reading, [])).toBeNull();
  });

  it('take the mean of the plateau of Table 5, 1,341, for the bound of a later run', () => {
    const estimates = table5.map(([, estimate]) => estimate);
    expect(chao1PlateauMeanOrNull(estimates.slice(0, 30))).toBeNull();
    expect(Math.round(chao1PlateauMeanOrNull(estimates) ?? 0)).toBe(1_341);
  });

  it('let bound fire at the published 80.54%: 1,080 transitions of 1,341', () => {
    const tools = Array.from({ length: 40 }, (_, i) => ({ name: `s/t${i}`, server: 's', domain: 'd' }));
    const pairs = tools.flatMap(({ name: from }) => tools.flatMap(({ name: to }) => (from === to ? [] : [[from, to]])));
    const walked = pairs.slice(0, 1_080).map((pair, i) => outcome({ unit: `u${i}`, traces: [ran(...pair)] }));
    const after = (units: number) =>
      makeCommitOfFinishedRound(initialState(makeCatalogIndex(tools)), 1, walked.slice(0, units)).state;
    const published = computeRoundReading(after(1_080), { strategy: 'sgvef', bound: 1_341 });
    // Every tool was called.
    expect(published.objective).toBeCloseTo((1 + 0.8054) / 2, 4);
    expect(published.transitionCoverage?.value).toBeCloseTo(0.8054, 4);
    expect(published.transitionCoverage).toMatchObject({ bound: 1_341 });
    const bound = { rule: 'bound', target: 0.8054 } as const;
    const target = { ...bound, target: 1_080 / 1_341 };
    expect(stopRuleReasonOrNull(target, published, [])).toBe('bound-target');
    expect(
      stopRuleReasonOrNull(target, computeRoundReading(after(1_079), { strategy: 'sgvef', bound: 1_341 }), []),
    ).toBeNull();
    expect(stopRuleReasonOrNull({ ...bound, target: 0.81 }, published, [])).toBeNull();
    expect(stopRuleReasonOrNull(bound, computeRoundReading(after(1_080), { strategy: 'sgvef' }), [])).toBeNull();
    expect(
      stopRuleReasonOrNull(
        { ...bound, target: 1 },
        computeRoundReading(after(1_080), { strategy: 'sgvef', bound: 1_080 }),
        [],
      ),
    ).toBe('bound-target');
  });

  it('refuse a rule bound without a bound, and certainty from probes', () => {
    const config = (stop: object, more: object = {}) =>
      explorationConfig.safeParse({ catalog: 'cat_1', stop, ...more }).success;
    expect(config({ rule: 'bound' })).toBe(false);
    expect(config({ rule: 'bound', target: 1 }, { bound: 1_341.37 })).toBe(true);
    expect(config({ rule: 'probe', target: 1 })).toBe(false);
    expect(config({}, { sampling: { drawMin: 5, drawMax: 4 } })).toBe(false);
    expect(config({}, { sampling: { serversMax: 10, toolsPerServerMax: 6 } })).toBe(false);
    expect(config({}, { sampling: { serversMax: 1, toolsPerServerMax: 1 } })).toBe(false);
    expect(config({}, { sampling: { lambda: 2, serversMax: 5, toolsPerServerMax: 10 } })).toBe(true);
  });

  it('let none never fire', () => {
    expect(
      stopRuleReasonOrNull(
        { rule: 'none', target: 0.8 },
        { transitions: 5, f1: 0, probeCoverage: null, transitionCoverage: null },
        [],
      ),
    ).toBeNull();
  });
});

describe('budgets', () => {
  const spent = { rounds: 5, tokens: 100, costUsd: 1, wallMs: 1_000 };

  it('name the first part that is used up', () => {
    expect(findExhaustedPartOfBudget({ rounds: 6 }, spent)).toBeNull();
    expect(findExhaustedPartOfBudget({ rounds: 5, tokens: 1 }, spent)).toBe('rounds');
    expect(findExhaustedPartOfBudget({ rounds: 6, tokens: 101, costUsd: 1, wallMs: 1 }, spent)).toBe('costUsd');
    expect(findExhaustedPartOfBudget({ rounds: 6, wallMs: 1_000 }, spent)).toBe('wallMs');
  });
});

describe('the end of a run', () => {
  const config = { stop: chao1, budget: { rounds: 5, tokens: 1_000 } };
  const spent = { rounds: 5, tokens: 1, costUsd: 0, wallMs: 0, writes: 0 };

  it('names the stop rule, even if the budget is used up too', () => {
    expect(
      explorationEndReasonOrNull(
        config,
        { transitions: 5, f1: 0, probeCoverage: null, transitionCoverage: null },
        [],
        spent,
      ),
    ).toBe('stop rule: chao1-reached');
  });

  it('names the part of the budget that is used up', () => {
    expect(explorationEndReasonOrNull(config, reading, [], spent)).toBe('budget: rounds used up');
    expect(explorationEndReasonOrNull(config, reading, [], { ...spent, rounds: 4 })).toBeNull();
  });
});

it('an exploration has failed if every unit was dropped and no tool was ever called, and only then', () => {
  const none = { accepted: 0, review: 0, rejected: 0, lost: 0, dropped: 2, probes: 1 };
  expect(explorationEndStatusAndReason(none, 0, 'why')).toEqual({
    status: 'failed',
    reason: 'no unit could be carried out (why)',
  });
  expect(explorationEndStatusAndReason(none, 1, 'why').status).toBe('completed');
  expect(explorationEndStatusAndReason({ ...none, rejected: 1 }, 0, 'why').status).toBe('completed');
  expect(explorationEndStatusAndReason({ ...none, dropped: 0, lost: 2 }, 0, 'why').status).toBe('completed');
});

it('an exploration fails once all its servers have spoilt calls in three rounds in a row', () => {
  const catalog = { servers: [{ name: 'b' }, { name: 'a' }] };
  const struck = (a: number, b: number) => ({
    catalog,
    servers: new Map([
      ['a', { strikes: a, outUntilRound: 9 }],
      ['b', { strikes: b, outUntilRound: 9 }],
    ]),
  });
  expect(endOfRunWithoutServersOrNull(struck(3, 4))).toEqual({
    status: 'failed',
    reason: 'all servers are down: a, b spoilt the calls of 3 rounds in a row',
  });
  expect(endOfRunWithoutServersOrNull(struck(3, 2))).toBeNull();
  expect(endOfRunWithoutServersOrNull({ catalog, servers: new Map() })).toBeNull();
});
