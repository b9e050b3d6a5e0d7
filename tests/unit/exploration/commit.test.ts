import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { makeCommitOfReviewedUnitOnce, makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import { knownTransitionsAmong } from '#core/exploration/round-units.ts';
import type { UnitOutcome } from '#core/exploration/outcome.ts';
import { computeRoundReading } from '#core/exploration/reading.ts';
import { rebuildStateFromRows } from '#core/exploration/rows.ts';
import { type ExplorationState, initialState, isSetAside, nodeCoverage } from '#core/exploration/state.ts';
import { iterateTableValuesUnordered } from '#core/exploration/table.ts';
import { makeRandom, shuffle } from '#core/values/random.ts';
import { makeAbundanceFromCounts } from '#core/statistics/richness/abundance.ts';

import { allRows, toolCount, unitsCommitted } from '../../support/exploration-state.ts';
import { anyOutcome, anyRounds, committed, outcome, ran, smallCatalog, written } from './world.ts';

const start = initialState(smallCatalog);
const names = smallCatalog.tools.map(({ name }) => name);

const run = (rounds: readonly (readonly UnitOutcome[])[]): ExplorationState =>
  rounds.reduce((state, units, index) => makeCommitOfFinishedRound(state, index + 1, units).state, start);

/** All that can be seen of a state. */
const seen = (state: ExplorationState) => ({
  rows: allRows(state),
  reading: computeRoundReading(state, { strategy: 'sgvef' }),
  known: knownTransitionsAmong(state, names),
  domains: [...iterateTableValuesUnordered(state.domains)].toSorted((a, b) =>
    `${a.from} ${a.to}`.localeCompare(`${b.from} ${b.to}`),
  ),
  covered: state.coveredTools,
  aside: state.setAsideTools,
});

describe('a commit of a round', () => {
  it('does not depend on the order of the units within a round', () => {
    fc.assert(
      fc.property(anyRounds, fc.integer(), (rounds, seed) => {
        const random = makeRandom(seed);
        const mixed = rounds.map((units) => shuffle(random, units));
        expect(seen(run(mixed))).toEqual(seen(run(rounds)));
      }),
    );
  });

  it('changes nothing when it is repeated or when an earlier round is missing', () => {
    fc.assert(
      fc.property(anyRounds, fc.array(anyOutcome('again')), (rounds, units) => {
        const state = run(rounds);
        for (let round = 0; round <= rounds.length; round++)
          expect(makeCommitOfFinishedRound(state, round, units)).toEqual({ kind: 'repeated', state });
        expect(makeCommitOfFinishedRound(state, rounds.length + 2, units)).toEqual({ kind: 'out-of-order', state });
      }),
    );
  });

  it('does not modify the state before it', () => {
    fc.assert(
      fc.property(anyRounds, (rounds) => {
        let state = start;
        for (const [index, units] of rounds.entries()) {
          const before = seen(state);
          const after = makeCommitOfFinishedRound(state, index + 1, units).state;
          expect(seen(state)).toEqual(before);
          state = after;
        }
      }),
    );
  });

  it('counts every unit exactly once', () => {
    fc.assert(
      fc.property(anyRounds, (rounds) => {
        const units = rounds.flat();
        const counts = run(rounds).units;
        expect(unitsCommitted(counts)).toBe(units.length);
        expect(counts.probes).toBe(units.filter(({ probe }) => probe).length);
        expect(counts.lost).toBe(units.filter(({ probe, status }) => !probe && status === 'lost').length);
      }),
    );
  });

  it('names exactly the rows to write, from which the state can be rebuilt', () => {
    fc.assert(
      fc.property(anyRounds, (rounds) => {
        let state = start;
        let store = allRows(start);
        for (const [index, units] of rounds.entries()) {
          const before = new Set(
            Object.values(store)
              .flatMap((rows) => (Array.isArray(rows) ? rows : []))
              .map(json),
          );
          const commit = committed(makeCommitOfFinishedRound(state, index + 1, units));
          state = commit.state;
          const { scalar: _, ...tables } = commit.touched;
          // A tool drawn in a dropped unit or a transition of a probe would be a row that did not change.
          for (const row of Object.values(tables).flat()) expect(before.has(json(row))).toBe(false);
          store = written(store, commit.touched);
        }
        expect(seen(rebuildStateFromRows(smallCatalog, store))).toEqual(seen(state));
      }),
    );
  });

  it('continues from stored rows as it would without them', () => {
    fc.assert(
      fc.property(anyRounds, anyOutcome('next'), fc.array(anyOutcome('other'), { maxLength: 1 }), (rounds, a, b) => {
        const state = run(rounds);
        const rebuilt = rebuildStateFromRows(smallCatalog, allRows(state));
        const round = rounds.length + 1;
        expect(seen(makeCommitOfFinishedRound(rebuilt, round, [a, ...b]).state)).toEqual(
          seen(makeCommitOfFinishedRound(state, round, [a, ...b]).state),
        );
      }),
    );
  });

  it('keeps the same sums as a recount', () => {
    fc.assert(
      fc.property(anyRounds, (rounds) => {
        const state = run(rounds);
        const { tools, transitions, probes } = allRows(state);
        expect(state.abundance).toEqual(makeAbundanceFromCounts(transitions.map(({ executed }) => executed)));
        expect(state.coveredTools).toBe(tools.filter(({ successes }) => successes > 0).length);
        expect(state.setAsideTools).toBe(tools.filter(isSetAside).length);
        expect(state.valuesPassed).toBe(transitions.filter(({ valuePassed }) => valuePassed > 0).length);
        for (const row of transitions) expect(row.valuePassed).toBeLessThanOrEqual(row.executed);
        const domains = [...iterateTableValuesUnordered(state.domains)];
        expect(domains.reduce((sum, { observations }) => sum + observations, 0)).toBe(state.abundance.n);
        expect(domains.reduce((sum, domain) => sum + domain.transitions, 0)).toBe(state.abundance.S);
        const found = new Set(
          transitions.filter(({ executed }) => executed > 0).map(({ from, to }) => `${from} ${to}`),
        );
        const all = probes.flatMap((probe) => probe.transitions);
        const { sums } = state.probes;
        expect(sums.size).toBe(all.length);
        expect(sums.found).toBe(all.filter(([from, to]) => found.has(`${from} ${to}`)).length);
      }),
    );
  });

  it('keeps probes out of everything except their ledger', () => {
    fc.assert(
      fc.property(anyRounds, (rounds) => {
        const { rows, known, domains, covered, aside } = seen(run(rounds));
        const without = seen(run(rounds.map((units) => units.filter(({ probe }) => !probe))));
        expect([rows.tools, rows.transitions, known, domains, covered, aside]).toEqual([
          without.rows.tools,
          without.rows.transitions,
          without.known,
          without.domains,
          without.covered,
          without.aside,
        ]);
      }),
    );
  });
});

describe('what a unit teaches', () => {
  it('counts a transition once for each unit, although a unit has two traces', () => {
    const { state, discovered } = committed(
      makeCommitOfFinishedRound(start, 1, [
        outcome({
          unit: 'u',
          chain: ['a/t0', 'a/t1', 'b/t0'],
          traces: [ran('a/t0', 'a/t1', 'a/t0', 'a/t1'), ran('a/t0', 'a/t1')],
          valuePassed: [
            ['a/t0', 'a/t1'],
            ['b/t0', 'b/t1'],
          ],
        }),
      ]),
    );
    expect(allRows(state).transitions).toEqual([
      { from: 'a/t0', to: 'a/t1', executed: 1, expected: 1, valuePassed: 1 },
      { from: 'a/t1', to: 'a/t0', executed: 1, expected: 0, valuePassed: 0 },
      { from: 'a/t1', to: 'b/t0', executed: 0, expected: 1, valuePassed: 0 },
    ]);
    expect(discovered).toEqual([
      ['a/t0', 'a/t1'],
      ['a/t1', 'a/t0'],
    ]);
    expect(computeRoundReading(state, { strategy: 'sgvef' })).toMatchObject({
      transitions: 2,
      n: 2,
      f1: 2,
      f2: 0,
      valuesPassed: 1,
    });
    expect(toolCount(state, 'a/t0')).toEqual({ draws: 0, calls: 3, successes: 3 });
    expect(knownTransitionsAmong(state, ['a/t1', 'b/t0', 'a/t0'])).toEqual([
      ['a/t1', 'a/t0'],
      ['a/t0', 'a/t1'],
    ]);
  });

  it.each(['review', 'rejected', 'lost', 'dropped'] as const)(
    'contributes no transition if its state is %s',
    (status) => {
      const { state } = makeCommitOfFinishedRound(start, 1, [
        outcome({
          unit: 'u',
          status,
          draws: [['a/t0', 'a/t1']],
          chain: ['a/t0', 'a/t1'],
          traces: [ran('a/t0', 'a/t1')],
        }),
      ]);
      expect(state.abundance.S).toBe(0);
      expect(allRows(state).transitions).toEqual([]);
      // A unit that was executed and then rejected has shown what its tools answer.
      const calls = status === 'rejected' ? 1 : 0;
      expect(toolCount(state, 'a/t0')).toEqual({ draws: status === 'dropped' ? 0 : 1, calls, successes: calls });
    },
  );

  it('sets a tool aside after ten draws without a success, until it has one', () => {
    const drawnOften = outcome({ unit: 'u', status: 'lost', draws: Array.from({ length: 5 }, () => ['a/t0', 'a/t1']) });
    const { state: half } = makeCommitOfFinishedRound(start, 1, [drawnOften]);
    expect(nodeCoverage(half)).toEqual({ covered: 0, of: 8, value: 0, setAside: 0 });
    const { state: aside } = makeCommitOfFinishedRound(half, 2, [
      drawnOften,
      outcome({ unit: 'v', traces: [ran('a/t1', 'b/t0')] }),
    ]);
    expect(nodeCoverage(aside)).toEqual({ covered: 2, of: 7, value: 2 / 7, setAside: 1 });
    const { state: back } = makeCommitOfFinishedRound(aside, 3, [outcome({ unit: 'w', traces: [ran('a/t0')] })]);
    expect(nodeCoverage(back)).toEqual({ covered: 3, of: 8, value: 3 / 8, setAside: 0 });
  });

  it("finds a probe's transitions as soon as a steered unit executes them", () => {
    const probe = outcome({ unit: 'p', probe: true, traces: [ran('a/t0', 'a/t1', 'b/t0')] });
    const first = committed(makeCommitOfFinishedRound(start, 1, [probe]));
    expect(computeRoundReading(first.state, { strategy: 'sgvef' }).probeCoverage).toMatchObject({
      value: 0,
      transitions: 2,
      probes: 1,
    });
    expect(first.touched).toMatchObject({ tools: [], transitions: [] });
    const second = committed(
      makeCommitOfFinishedRound(first.state, 2, [outcome({ unit: 'u', traces: [ran('a/t0', 'a/t1')] })]),
    );
    expect(computeRoundReading(second.state, { strategy: 'sgvef' }).probeCoverage).toMatchObject({ value: 0.5 });
    expect(second.touched.probes).toEqual([]);
  });

  it('keeps the estimates of the last seven rounds that observed something', () => {
    const unit = outcome({ unit: 'u', traces: [ran('a/t0', 'a/t1')] });
    const quiet = outcome({ unit: 'v', status: 'lost' });
    const state = run([[unit], [quiet], [], [unit]]);
    expect(state.recentChao1).toEqual([1, 1]);
    expect(run(Array.from({ length: 9 }, () => [unit])).recentChao1).toHaveLength(7);
  });

  it('never lets anytimeLow decrease', () => {
    fc.assert(
      fc.property(anyRounds, (rounds) => {
        let state = start;
        for (const [index, units] of rounds.entries()) {
          const after = makeCommitOfFinishedRound(state, index + 1, units).state;
          expect(after.anytimeLow).toBeGreaterThanOrEqual(state.anytimeLow);
          state = after;
        }
      }),
    );
  });
});

describe('a late commit of a reviewed unit', () => {
  const waiting = outcome({ unit: 'u', status: 'review', draws: [['a/t0', 'a/t1']], chain: ['a/t0', 'a/t1'] });
  const approved = outcome({ ...waiting, status: 'accepted', traces: [ran('a/t0', 'a/t1')] });
  const parked = makeCommitOfFinishedRound(start, 1, [waiting]).state;

  it('counts an approved unit once, with its draws', () => {
    const late = committed(makeCommitOfReviewedUnitOnce(parked, approved));
    expect(late.state.units).toMatchObject({ accepted: 1, review: 0 });
    expect(late.touched.transitions).toEqual([{ from: 'a/t0', to: 'a/t1', executed: 1, expected: 1, valuePassed: 0 }]);
    expect(toolCount(late.state, 'a/t0')).toEqual({ draws: 1, calls: 1, successes: 1 });
    expect(makeCommitOfReviewedUnitOnce(late.state, approved)).toEqual({ kind: 'repeated', state: late.state });
    expect(seen(rebuildStateFromRows(smallCatalog, written(allRows(parked), late.touched)))).toEqual(seen(late.state));
  });

  it.each(['rejected', 'dropped'] as const)('moves a unit to %s', (status) => {
    const late = makeCommitOfReviewedUnitOnce(parked, outcome({ ...waiting, status }));
    expect(late.state.units).toMatchObject({ [status]: 1, review: 0 });
    expect(late.state.abundance.S).toBe(0);
  });

  it('gives the same state as an immediate decision', () => {
    const atOnce = makeCommitOfFinishedRound(start, 1, [approved]).state;
    const { tools, transitions } = allRows(makeCommitOfReviewedUnitOnce(parked, approved).state);
    expect({ tools, transitions }).toEqual({
      tools: allRows(atOnce).tools,
      transitions: allRows(atOnce).transitions,
    });
  });

  it('refuses a unit that was never in review', () => {
    expect(makeCommitOfReviewedUnitOnce(parked, outcome({ unit: 'other' }))).toEqual({
      kind: 'out-of-order',
      state: parked,
    });
    expect(makeCommitOfReviewedUnitOnce(parked, waiting)).toEqual({ kind: 'out-of-order', state: parked });
  });

  it('looks at late probes with the next round', () => {
    const found = ran('a/t0', 'a/t1', 'b/t0', 'b/t1');
    let state = makeCommitOfFinishedRound(start, 1, [outcome({ unit: 'steered', traces: [found] })]).state;
    for (let round = 2; round <= 40; round++) {
      const parked = outcome({ unit: `p${round}`, probe: true, status: 'review' });
      state = committed(makeCommitOfFinishedRound(state, round, [parked])).state;
      state = committed(
        makeCommitOfReviewedUnitOnce(state, outcome({ unit: `p${round}`, probe: true, traces: [found] })),
      ).state;
    }
    expect(
      computeRoundReading(makeCommitOfFinishedRound(state, 41, []).state, { strategy: 'sgvef' }).probeCoverage,
    ).toMatchObject({
      value: 1,
      probes: 39,
    });
    expect(makeCommitOfFinishedRound(state, 41, []).state.anytimeLow).toBeGreaterThan(0.8);
  });

  it('adds a probe to the ledger only', () => {
    const probe = makeCommitOfFinishedRound(start, 1, [outcome({ ...waiting, probe: true })]).state;
    const late = committed(makeCommitOfReviewedUnitOnce(probe, outcome({ ...approved, probe: true })));
    expect(late.state.units).toMatchObject({ probes: 1, review: 0, accepted: 0 });
    expect(late.touched).toMatchObject({ tools: [], transitions: [], probes: [{ unit: 'u', round: 1 }] });
  });
});

const json = (row: unknown): string => JSON.stringify(row);
