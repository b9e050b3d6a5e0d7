import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  leaderAt,
  orderOf,
  positionOf,
  withEntry,
  withoutEntry,
  type CannotTell,
  type Order,
} from '#core/leaderboards/order.ts';

/** A symmetric relation of ids that says anything at all. */
const relation =
  (seed: number): CannotTell =>
  (a, b) => {
    const [first, second] = a < b ? [a, b] : [b, a];
    let hash = seed;
    for (const each of `${first}|${second}`) hash = (Math.imul(hash, 31) + (each.codePointAt(0) ?? 0)) | 0;
    return Math.abs(hash) % 5 < 2;
  };
const never: CannotTell = () => false;
const shown = (order: Order): string => order.map(({ id, leads }) => (leads ? `|${id}` : id)).join(' ');
const id = fc.nat(25).map((n) => `sub_${String.fromCodePoint(97 + n)}`);
const key = fc.oneof(
  fc.integer({ min: -6, max: 6 }),
  fc.constant(Infinity),
  // As sort keys are: there is no -0 among them.
  fc.double({ noNaN: true, min: -1, max: 1 }).map((n) => n + 0),
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ id, key }) },
  { weight: 1, arbitrary: fc.record({ id, key: fc.constant(null) }) },
);

describe('the order of entries', () => {
  it('is ascending, equal keys by id, those without a score last and one group', () => {
    const items = [
      { id: 'e', key: Infinity },
      { id: 'b', key: 2 },
      { id: 'd', key: Infinity },
      { id: 'a', key: 2 },
      { id: 'c', key: -1 },
    ];
    expect(shown(orderOf(items, never))).toBe('|c |a b |d e');
    expect(orderOf(items, () => true).map((each) => each.leads)).toEqual([true, false, false, true, false]);
  });

  it('has a group of those that cannot be told from its leader, whatever they are to each other', () => {
    const near: CannotTell = (a, b) => Math.abs(Number(a) - Number(b)) <= 2;
    const items = [1, 2, 3, 4, 5, 6, 9].map((n) => ({ id: String(n), key: n }));
    expect(shown(orderOf(items, near))).toBe('|1 2 3 |4 5 6 |9');
    const order = orderOf(items, near);
    expect(order.map((_, position) => leaderAt(order, position))).toEqual([0, 0, 0, 3, 3, 3, 6]);
    expect(shown(withoutEntry(order, '1', near).order)).toBe('|2 3 4 |5 6 |9');
    expect(withoutEntry(order, '3', near).leads).toEqual([]);
  });

  it('is the same however it came about, and tells which leaders have changed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer(), (steps, seed) => {
        const cannotTell = relation(seed);
        const keys = new Map<string, number>();
        let order: Order = [];
        for (const change of steps) {
          const before = new Map(order.map((each) => [each.id, each.leads]));
          const next =
            change.key === null
              ? withoutEntry(order, change.id, cannotTell)
              : withEntry(order, { id: change.id, key: change.key }, cannotTell);
          if (change.key === null) keys.delete(change.id);
          else keys.set(change.id, change.key);
          expect(next.order).toEqual(
            orderOf(
              Array.from(keys, ([each, at]) => ({ id: each, key: at })),
              cannotTell,
            ),
          );
          before.delete(change.id);
          for (const each of next.leads) before.set(each.id, each.leads);
          expect(before).toEqual(new Map(next.order.map((each) => [each.id, each.leads])));
          order = next.order;
        }
        const leaders = order.filter((each) => each.leads).map((each) => each.key);
        expect(leaders.every((each, n) => n === 0 || each > (leaders[n - 1] ?? Infinity))).toBe(true);
        expect(order.map((item) => positionOf(order, item))).toEqual(order.map((_, position) => position));
      }),
      { numRuns: 1_000 },
    );
  });

  it('compares nothing above the place, and stops where the groups are as they were', () => {
    const items = Array.from({ length: 1_000 }, (_, n) => ({ id: `e${String(n).padStart(4, '0')}`, key: n }));
    const near: CannotTell = (a, b) => Math.abs(Number(a.slice(1)) - Number(b.slice(1))) < 10;
    const order = orderOf(items, near);
    let asked = 0;
    const counted: CannotTell = (a, b) => {
      asked += 1;
      return near(a, b);
    };
    const { leads } = withEntry(order, { id: 'e0505', key: 505.5 }, counted);
    expect(leads).toEqual([{ id: 'e0505', leads: false }]);
    expect(asked).toBeLessThan(5);
  });
});
