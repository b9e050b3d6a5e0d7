import { describe, expect, it } from 'vitest';
import {
  countUnitsByExpectedTransition,
  transitionSortKey,
  makeAgentTransitions,
} from '#core/evaluation/agent-transitions.ts';
import { generateBreakdownGroups } from '#core/evaluation/breakdown.ts';
import { agentTransition, breakdownGroup, unitResult } from '#core/evaluation/breakdown-record.ts';
import { caseAfterStageResult, type EvaluationCase } from '#core/evaluation/case.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { groupConsecutiveByUnit } from '#core/evaluation/agent-figures.ts';
import { unitResultSortKey, makeResultOfAgentInUnit } from '#core/evaluation/unit-results.ts';
import { basisOf, executedIn, failing, figuresOf, passing, tools } from './basis.ts';
import { begun, chain, finished, made, type Made } from './cases.ts';

const broken: Made = { tools: null };
const wandering: Made = { tools: ['fruit/apple', 'trees/oak!', 'fruit/pear', 'trees/oak', 'made-up!'] };

/** The results of an agent by unit. */
const resultsOf = (agent: string, cases: readonly EvaluationCase[]) =>
  Array.from(groupConsecutiveByUnit(figuresOf(cases.filter((each) => each.agent === agent))), (own) =>
    makeResultOfAgentInUnit(own, 'sgvef'),
  );

describe('the results of a unit', () => {
  const cases = [
    finished({ unit: 'u0', agent: 'b' }, passing, { tools: ['fruit/apple'] }),
    finished({ unit: 'u0', agent: 'a', trial: 1 }, passing),
    finished({ unit: 'u0', agent: 'a', trial: 2 }, failing, passing),
    finished({ unit: 'u0', agent: 'a', trial: 3 }, broken),
    finished({ unit: 'u1', agent: 'a' }, passing),
  ];
  const [ofA, next, ...rest] = resultsOf('a', cases);
  const [ofB] = resultsOf('b', cases);

  it('are one for each agent and unit, over its trials', () => {
    expect(rest).toEqual([]);
    expect(next).toMatchObject({ unit: 'u1', agent: 'a', trials: 1 });
    expect(ofA).toMatchObject({
      unit: 'u0',
      agent: 'a',
      trials: 3,
      scores: { tcs: 1, mtc: 1, success: 0.5 },
      passes: { scored: 2, passed: 1 },
      patterns: [],
    });
    expect(ofB).toMatchObject({ agent: 'b', trials: 1, patterns: ['incomplete-planning'] });
    expect(unitResult.parse(ofA)).toEqual(ofA);
  });

  it('are null if nothing is scored, and absent if nothing is done', () => {
    const under = caseAfterStageResult(begun({ unit: 'u0', agent: 'c' }), made('source'), {
      chain,
      origins: [],
      judges: true,
    });
    const all = [finished({ unit: 'u0', agent: 'a' }, broken), under];
    expect(resultsOf('c', all)).toEqual([]);
    expect(resultsOf('a', all)[0]).toMatchObject({
      scores: { tcs: null, ecg: null, success: null },
      passes: { scored: 0, passed: 0 },
    });
  });

  it('are ordered by unit, then by agent', () => {
    const places = [
      ['u', 'a'],
      ['u', 'b'],
      ['u0', 'a'],
    ].map(([unit = '', agent = '']) => unitResultSortKey({ unit, agent }));
    expect(places).toEqual(places.toSorted());
  });
});

describe('a breakdown of results', () => {
  const units = [
    { id: 'u0', chain },
    { id: 'u1', chain: ['fruit/apple', 'trees/oak'] },
    { id: 'u2', chain: ['trees/oak'] },
  ];
  const cases = [
    finished({ unit: 'u0', agent: 'a' }, passing),
    finished({ unit: 'u1', agent: 'a' }, wandering, broken),
    finished({ unit: 'u2', agent: 'a' }, wandering),
    finished({ unit: 'u0', agent: 'b' }, failing),
  ];
  const basis = basisOf(cases, { units });
  const groups = [...generateBreakdownGroups('domain', ['a', 'b'], basis)];
  const agentIn = (name: string, agent: string) =>
    groups.find((group) => group.name === name)?.agents.find((each) => each.agent === agent);

  it('counts a unit in each domain of its chain', () => {
    expect(groups.map(({ name, units }) => [name, units])).toEqual([
      ['food', 2],
      ['forest', 2],
    ]);
    expect(agentIn('food', 'a')).toMatchObject({ units: 2, scores: { tcs: { n: 1, unscored: 1, mean: 1 } } });
    expect(agentIn('forest', 'a')).toMatchObject({ units: 2, scores: { tcs: { n: 1, unscored: 1 } } });
    expect(agentIn('food', 'b')).toMatchObject({ units: 1, scores: { success: { mean: 0, n: 1 } } });
    expect(agentIn('forest', 'b')).toMatchObject({
      units: 0,
      scores: { tcs: { mean: null, n: 0, unscored: 0 } },
      calls: 0,
    });
    for (const group of groups) expect(breakdownGroup.parse(group)).toEqual(group);
  });

  it("counts calls of a group's tools in any unit, for evaluated attempts only", () => {
    // Twice in u0, once in u1 where the other attempt broke, twice in u2.
    expect(agentIn('food', 'a')).toMatchObject({ calls: 4 + 2 + 4, failedCalls: 0 });
    expect(agentIn('forest', 'a')).toMatchObject({ calls: 2 + 4, failedCalls: 1 + 2 });
  });

  it('can be by server and lists servers that were called but not expected', () => {
    const servers = [...generateBreakdownGroups('server', ['a'], { ...basis, units: units.slice(0, 1) })];
    expect(servers.map(({ name, units }) => [name, units])).toEqual([
      ['fruit', 1],
      ['trees', 0],
    ]);
    expect(servers[1]?.agents[0]).toMatchObject({ units: 0, scores: { tcs: { n: 0 } }, calls: 6 });
  });

  it('can be by the length of the chain and by the number of its servers, in order of numbers', () => {
    const long = { id: 'u3', chain: Array.from({ length: 10 }, () => 'trees/oak') };
    const unknown = { id: 'u4', chain: ['fruit/apple', 'trees/oak', 'gone/away'] };
    const more = basisOf(cases, { units: [...units, long, unknown] });
    const by = (what: 'chain-length' | 'server-count') => [...generateBreakdownGroups(what, ['a', 'b'], more)];
    expect(by('chain-length').map(({ name, units }) => [name, units])).toEqual([
      ['1', 1],
      ['2', 2],
      ['3', 1],
      ['10', 1],
    ]);
    expect(by('server-count').map(({ name, units }) => [name, units])).toEqual([
      ['1', 3],
      ['2', 1],
      ['3', 1],
    ]);
    for (const group of [...by('chain-length'), ...by('server-count')])
      expect(breakdownGroup.parse(group)).toEqual(group);
  });

  it('can be by how much of the chain was carried out when the unit was made', () => {
    const [first, second] = units;
    const witnessed = [
      { ...first, witness: { source: [1], followUp: [1, 2] } },
      { ...second, witness: { source: [2], followUp: [] } },
      ...units.slice(2),
    ].flatMap(({ id, chain: expected, ...rest }) =>
      id === undefined || expected === undefined ? [] : [{ id, chain: expected, ...rest }],
    );
    const groups = [...generateBreakdownGroups('witness-extent', ['a'], basisOf(cases, { units: witnessed }))];
    expect(groups.map(({ name, units: count }) => [name, count])).toEqual([
      ['full', 1],
      ['partial', 1],
      ['unknown', units.length - 2],
    ]);
  });

  it('by a property of units counts the calls that were made in them, and adds up to the whole', () => {
    const lengths = [...generateBreakdownGroups('chain-length', ['a', 'b'], basis)];
    const [one, two] = lengths.map(({ agents }) => agents.find(({ agent }) => agent === 'a'));
    // Five calls in each attempt of u2; four in u0 and five in the evaluated attempt of u1.
    expect(one).toMatchObject({ units: 1, calls: 10, failedCalls: 4 });
    expect(two).toMatchObject({ units: 2, calls: 4 + 5, failedCalls: 2, scores: { tcs: { n: 1, unscored: 1 } } });
    expect(one?.perAttempt).toMatchObject({ calls: 5, routes: null });
    // The broken attempt of u1 is left out.
    expect(two?.perAttempt.calls).toBe((4 + 5) / 3);
    const { figures } = basis.agents.get('a') ?? expect.fail('no figures');
    expect(figures.attempts.calls).toBe(10 + 9);
  });

  it('of one group that has all units equals the overall means', () => {
    const one = basisOf(cases, { units: units.map((unit) => ({ ...unit, chain })) });
    const group = [...generateBreakdownGroups('server', ['a'], one)].find(({ name }) => name === 'fruit');
    expect(group?.agents[0]?.scores.mtc.mean).toBe(makeAgentResult('a', one).scores.mtc.mean);
    expect(group?.agents[0]?.scores.tcs.n).toBe(makeAgentResult('a', one).scores.tcs.n);
    expect(group?.agents[0]?.parts).toEqual(makeAgentResult('a', one).parts);
    expect(group?.agents[0]?.perAttempt).toEqual(makeAgentResult('a', one).perAttempt);
  });

  it('gives the parts of scores for the units of each group alone', () => {
    const groups = [...generateBreakdownGroups('chain-length', ['a'], basis)].map(({ agents }) => agents[0]?.parts.tcs);
    const [short, long] = groups;
    expect(short?.['precision']?.n).toBe(1);
    expect(long?.['precision']?.n).toBe(1);
    expect(short?.['precision']?.mean).not.toBe(long?.['precision']?.mean);
  });
});

describe('the transitions of an agent', () => {
  const cases = [
    finished({ unit: 'u0', agent: 'a', trial: 1 }, passing),
    finished({ unit: 'u0', agent: 'a', trial: 2 }, passing),
    finished({ unit: 'u1', agent: 'a' }, wandering, { tools: ['fruit/apple?'] }),
    finished({ unit: 'u1', agent: 'b' }, broken),
  ];
  const expected = countUnitsByExpectedTransition([...basisOf([]).units, { chain: ['trees/oak', 'fruit/apple'] }]);
  const transitionsOfAgent = (agent: string, domains = new Map(tools.map(({ name, domain }) => [name, domain]))) =>
    makeAgentTransitions(agent, executedIn(cases.filter((each) => each.agent === agent)), expected, domains);

  it('are those that it executed and those that are expected, each unit once', () => {
    const found = transitionsOfAgent('a');
    expect(found).toEqual([
      {
        agent: 'a',
        from: 'fruit/apple',
        to: 'fruit/pear',
        fromDomain: 'food',
        toDomain: 'food',
        // Twice in u0, and in u1 with a failed call between.
        executedIn: 2,
        expectedIn: 2,
      },
      {
        agent: 'a',
        from: 'fruit/pear',
        to: 'trees/oak',
        fromDomain: 'food',
        toDomain: 'forest',
        executedIn: 1,
        expectedIn: 0,
      },
      {
        agent: 'a',
        from: 'trees/oak',
        to: 'fruit/apple',
        fromDomain: 'forest',
        toDomain: 'food',
        executedIn: 0,
        expectedIn: 1,
      },
    ]);
    expect(found.map((each) => agentTransition.parse(each))).toEqual(found);
    expect(found.map(transitionSortKey)).toEqual(found.map(transitionSortKey).toSorted());
  });

  it('leave out broken attempts, and give unknown tools no domain', () => {
    expect(transitionsOfAgent('b').every(({ executedIn }) => executedIn === 0)).toBe(true);
    expect(transitionsOfAgent('a', new Map())[0]).toMatchObject({ fromDomain: null, toDomain: null });
  });
});
