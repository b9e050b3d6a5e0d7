import { describe, expect, it } from 'vitest';
import { buildByMetric, rankingOrdersOfProtocol } from '#core/leaderboards/metrics.ts';
import {
  sortByMetric,
  findPositionOfGroupLeader,
  listIdsOfTieGroupLeaders,
  leadChangesByAdding,
  leadChangesByRemoving,
  findPositionOrInsertionPoint,
  type TieTest,
  type Order,
} from '#core/leaderboards/order.ts';
import type { Place } from '#core/leaderboards/ranking.ts';

type Item = Pick<Place, 'id' | 'keys' | 'behind'>;

const item = (id: string, key: number): Item => ({
  id,
  behind: false,
  keys: buildByMetric(rankingOrdersOfProtocol('sgvef').metrics, (metric) => (metric === 'pass-hat-4' ? key : 0)),
});
const never: TieTest = () => false;
const shown = (order: Order): string => order.map(({ id, leads }) => (leads['pass-hat-4'] ? `|${id}` : id)).join(' ');

/** Items by `mtc`, from scratch. */
function orderOf(items: readonly Item[], cannotTell: TieTest): Order {
  const ordered = sortByMetric(items, 'pass-hat-4');
  const leaders = listIdsOfTieGroupLeaders(ordered, 'pass-hat-4', cannotTell);
  return ordered.map((each) => ({
    ...each,
    tier: 'service',
    leads: buildByMetric(
      rankingOrdersOfProtocol('sgvef').metrics,
      (metric) => metric === 'pass-hat-4' && leaders.has(each.id),
    ),
  }));
}

describe('the order of entries', () => {
  it('is ascending, with equal keys by id, and entries without a score last in one group', () => {
    const items = [item('e', Infinity), item('b', 2), item('d', Infinity), item('a', 2), item('c', -1)];
    const order = orderOf(items, never);
    expect(shown(order)).toBe('|c |a b |d e');
    expect(shown(orderOf(items, () => true))).toBe('|c a b |d e');
    expect(order.map((each) => findPositionOrInsertionPoint(order, 'pass-hat-4', each))).toEqual([0, 1, 2, 3, 4]);
    expect(findPositionOrInsertionPoint(order, 'pass-hat-4', item('aa', 2))).toBe(2);
  });

  it('puts into a group all entries that tie with its leader, even if they differ from each other', () => {
    const near: TieTest = (a, b) => Math.abs(Number(a) - Number(b)) <= 2;
    const items = [1, 2, 3, 4, 5, 6, 9].map((n) => item(String(n), n));
    const order = orderOf(items, near);
    expect(shown(order)).toBe('|1 2 3 |4 5 6 |9');
    expect(order.map((_, position) => findPositionOfGroupLeader(order, 'pass-hat-4', position))).toEqual([
      0, 0, 0, 3, 3, 3, 6,
    ]);
  });

  it('names which leaders change when an entry is added or removed', () => {
    const near: TieTest = (a, b) => Math.abs(Number(a) - Number(b)) <= 2;
    const [first, ...others] = orderOf(
      [1, 2, 3, 4, 5, 6, 9].map((n) => item(String(n), n)),
      near,
    );
    if (first === undefined) throw new Error('there is none');
    expect(leadChangesByRemoving([first, ...others], 'pass-hat-4', first, near)).toEqual([
      { id: '2', leads: true },
      { id: '4', leads: false },
      { id: '5', leads: true },
    ]);
    const third = others[1];
    expect(third && leadChangesByRemoving([first, ...others], 'pass-hat-4', third, near)).toEqual([]);
    expect(leadChangesByAdding(orderOf(others, near), 'pass-hat-4', first, near)).toEqual([
      { id: '1', leads: true },
      { id: '2', leads: false },
      { id: '4', leads: true },
      { id: '5', leads: false },
    ]);
    expect(leadChangesByAdding([], 'pass-hat-4', first, near)).toEqual([{ id: '1', leads: true }]);
  });

  it('compares nothing above the position, and stops where the groups stay the same', () => {
    const items = Array.from({ length: 1_000 }, (_, n) => item(`e${String(n).padStart(4, '0')}`, n));
    const near: TieTest = (a, b) => Math.abs(Number(a.slice(1)) - Number(b.slice(1))) < 10;
    const order = orderOf(items, near);
    let asked = 0;
    const counted: TieTest = (a, b) => {
      asked += 1;
      return near(a, b);
    };
    expect(leadChangesByAdding(order, 'pass-hat-4', item('e0505', 505.5), counted)).toEqual([
      { id: 'e0505', leads: false },
    ]);
    expect(asked).toBeLessThan(5);
  });
});
