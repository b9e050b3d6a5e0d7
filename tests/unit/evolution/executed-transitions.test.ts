import { expect, it } from 'vitest';
import { listExploredTransitions } from '#core/exploration/evolution/executed-transitions.ts';
import { makeCatalogIndex, transitionNumber } from '#core/exploration/catalog-index.ts';
import { emptyTable, tableWithEntries } from '#core/exploration/table.ts';
import type { Transition } from '#core/traces/transitions.ts';

it('executed transitions keep the order of the catalog, and merely expected ones are left out', () => {
  const catalog = makeCatalogIndex(['a', 'b', 'c'].map((name) => ({ name, server: name, domain: 'd' })));
  const of = (pair: Transition, executed: number) =>
    [transitionNumber(catalog, pair) ?? -1, { executed, expected: 1, valuePassed: 0 }] as const;
  const counts = new Map([of(['c', 'a'], 1), of(['a', 'c'], 2), of(['b', 'a'], 0), of(['a', 'b'], 1)]);
  expect(listExploredTransitions({ catalog, transitions: tableWithEntries(emptyTable(), counts) })).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['c', 'a'],
  ]);
});
