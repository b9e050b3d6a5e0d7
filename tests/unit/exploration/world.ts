import fc from 'fast-check';

import { makeCatalogIndex } from '#core/exploration/catalog-index.ts';
import type { Commit } from '#core/exploration/commit.ts';
import type { UnitOutcome } from '#core/exploration/outcome.ts';
import type { Rows } from '#core/exploration/rows.ts';
import type { Transition } from '#core/traces/transitions.ts';

/** Servers of 3, 2, 2 and 1 tools in two domains. */
export const smallCatalog = makeCatalogIndex(
  [
    ['a', 'travel', 3],
    ['b', 'travel', 2],
    ['c', 'finance', 2],
    ['d', 'finance', 1],
  ].flatMap(([server, domain, tools]) =>
    Array.from({ length: Number(tools) }, (_, i) => ({
      name: `${server}/t${i}`,
      server: String(server),
      domain: String(domain),
    })),
  ),
);

const names = smallCatalog.tools.map(({ name }) => name);

/** An outcome with nothing in it but what is given. */
export const outcome = (over: Partial<UnitOutcome> & { readonly unit: string }): UnitOutcome => ({
  probe: false,
  status: 'accepted',
  draws: [],
  chain: [],
  traces: [],
  valuePassed: [],
  faults: [],
  ...over,
});

/** A trace in which all calls succeeded. */
export const ran = (...tools: string[]): UnitOutcome['traces'][number] => ({
  calls: tools.map((tool) => ({ tool, ok: true })),
});

const toolName = fc.constantFrom(...names, 'nowhere/t9');
const pairOfTools: fc.Arbitrary<Transition> = fc.tuple(toolName, toolName);

export const anyOutcome = (unit: string): fc.Arbitrary<UnitOutcome> =>
  fc.record({
    unit: fc.constant(unit),
    probe: fc.boolean(),
    status: fc.constantFrom('accepted', 'accepted', 'accepted', 'review', 'rejected', 'lost', 'dropped'),
    draws: fc.array(fc.array(toolName, { maxLength: 4 }), { maxLength: 3 }),
    chain: fc.array(toolName, { maxLength: 4 }),
    traces: fc.array(
      fc.record({ calls: fc.array(fc.record({ tool: toolName, ok: fc.boolean() }), { maxLength: 6 }) }),
      { maxLength: 2 },
    ),
    valuePassed: fc.array(pairOfTools, { maxLength: 3 }),
    faults: fc.array(fc.record({ server: fc.constantFrom('a', 'b', 'c', 'd') }), { maxLength: 1 }),
  });

/** Up to 6 rounds of up to 5 units. */
export const anyRounds: fc.Arbitrary<UnitOutcome[][]> = fc
  .array(fc.nat(5), { maxLength: 6 })
  .chain((sizes) =>
    fc.tuple(
      ...sizes.map((size, round) =>
        fc.tuple(...Array.from({ length: size }, (_, i) => anyOutcome(`r${round + 1}u${i}`))),
      ),
    ),
  );

export const committed = (commit: Commit): Extract<Commit, { kind: 'committed' }> => {
  if (commit.kind !== 'committed') throw new Error(`not committed but ${commit.kind}`);
  return commit;
};

const upserted = <T>(rows: readonly T[], touched: readonly T[], key: (row: T) => string): T[] => [
  ...new Map([...rows, ...touched].map((row) => [key(row), row])).values(),
];

/** What a store holds after the touched rows of a commit were written to it. */
export const written = (rows: Rows, touched: Rows): Rows => ({
  tools: upserted(rows.tools, touched.tools, ({ tool }) => tool),
  transitions: upserted(rows.transitions, touched.transitions, ({ from, to }) => `${from} ${to}`),
  probes: upserted(rows.probes, touched.probes, ({ unit }) => unit),
  reviews: upserted(rows.reviews, touched.reviews, ({ unit }) => unit),
  servers: upserted(rows.servers, touched.servers, ({ server }) => server),
  trials: upserted(rows.trials, touched.trials, ({ round }) => String(round)),
  scalar: touched.scalar,
});
