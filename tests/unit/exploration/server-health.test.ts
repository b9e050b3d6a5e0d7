import { describe, expect, it } from 'vitest';

import { makeCommitOfFinishedRound } from '#core/exploration/commit.ts';
import { listToolsOfDrawableServers } from '#core/exploration/samplers.ts';
import { serverHealthAfterRound, isExcludedFromDraws, type Servers } from '#core/exploration/server-health.ts';
import { initialState } from '#core/exploration/state.ts';
import { makeRandom } from '#core/values/random.ts';

import { committed, outcome, ran, smallCatalog } from './world.ts';

const none = new Set<string>();
const only = new Set(['a']);

describe('server health', () => {
  it('excludes a server for 1, 2, 4, 8, 16 and then always 16 rounds', () => {
    let servers: Servers = new Map();
    const pauses: number[] = [];
    let pause = 0;
    for (let round = 1; round <= 80; round++) {
      const out = isExcludedFromDraws(servers, 'a', round);
      if (out) pause += 1;
      else if (pause > 0) {
        pauses.push(pause);
        pause = 0;
      }
      servers = serverHealthAfterRound(servers, round, out ? none : only, none).servers;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 16, 16]);
  });

  it('reports a server that goes down, is tried again, and recovers', () => {
    const down = serverHealthAfterRound(new Map(), 3, only, none);
    expect(down.changes).toEqual({
      down: [{ server: 'a', rounds: 1, untilRound: 4 }],
      retrying: [],
      recovered: [],
    });
    expect(serverHealthAfterRound(down.servers, 4, none, none).changes.retrying).toEqual(['a']);
    const well = serverHealthAfterRound(down.servers, 5, none, only);
    expect(well.changes.recovered).toEqual(['a']);
    expect(serverHealthAfterRound(well.servers, 6, only, none).changes.down).toEqual([
      { server: 'a', rounds: 1, untilRound: 7 },
    ]);
    expect(serverHealthAfterRound(well.servers, 6, none, only)).toMatchObject({
      changed: [],
      changes: { recovered: [] },
    });
  });

  it('starts over if a server both worked and broke in a round', () => {
    const servers: Servers = new Map([['a', { strikes: 4, outUntilRound: 2 }]]);
    expect(serverHealthAfterRound(servers, 9, only, only).changes).toEqual({
      down: [{ server: 'a', rounds: 1, untilRound: 10 }],
      retrying: [],
      recovered: [],
    });
  });

  it('counts faults and successes of dropped and of accepted units', () => {
    const first = committed(
      makeCommitOfFinishedRound(initialState(smallCatalog), 1, [
        outcome({ unit: 'u', status: 'dropped', faults: [{ server: 'a' }], traces: [ran('b/t0')] }),
        outcome({ unit: 'v', status: 'accepted', faults: [{ server: 'c' }] }),
      ]),
    );
    expect(first.health.down.map(({ server }) => server)).toEqual(['a', 'c']);
    expect(first.touched.servers).toEqual([
      { server: 'a', strikes: 1, outUntilRound: 2 },
      { server: 'c', strikes: 1, outUntilRound: 2 },
    ]);
    expect(listToolsOfDrawableServers(first.state, makeRandom(1)).some((tool) => tool.startsWith('a/'))).toBe(false);
    const second = committed(makeCommitOfFinishedRound(first.state, 2, []));
    expect(second.health.retrying).toEqual(['a', 'c']);
    expect(listToolsOfDrawableServers(second.state, makeRandom(1))).toHaveLength(8);
    const third = committed(
      makeCommitOfFinishedRound(second.state, 3, [outcome({ unit: 'p', probe: true, traces: [ran('a/t0')] })]),
    );
    expect(third.health.recovered).toEqual(['a']);
  });
});
