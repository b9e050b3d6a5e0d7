import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverNameOfToolName } from '#core/catalog/tool.ts';
import { groupMountableToolsByServer, type MountableTool } from '#core/units/mounting/mountable-catalog.ts';
import { countToolsAndTokensMountedInUnit, summariseMountedOverUnits } from '#core/units/mounting/mounted-counts.ts';
import { listShuffledMountedTools, sumToolsAndTokens, type MountingInput } from '#core/units/mounting/mounted-tools.ts';
import { standardMounting, type Mounting } from '#core/units/mounting/mounting.ts';

const tool = (server: string, number: number, schemaTokens = 200): MountableTool => ({
  name: `${server}/t${String(number).padStart(2, '0')}`,
  server,
  size: 1,
  effect: 'reads',
  schemaTokens,
});

/** Ten servers, `s0` to `s9`, with ten tools each. */
const tools = Array.from({ length: 100 }, (_, at) => tool(`s${at % 10}`, Math.floor(at / 10)));
const catalog = groupMountableToolsByServer(tools);
const unit = { id: 'u_1', chain: ['s3/t01', 's7/t09', 's3/t04'] };

const namesOf = (input: Partial<MountingInput> & Pick<MountingInput, 'mounting'>): string[] =>
  listShuffledMountedTools({ unit, catalog, seed: 1, ...input }).map(({ name }) => name);
const serversIn = (names: readonly string[]): string[] => [...new Set(names.map(serverNameOfToolName))].toSorted();

const anyMounting = fc.oneof(
  fc.constantFrom<Mounting>({ kind: 'oracle' }, { kind: 'max-scale' }),
  fc.integer({ min: 1, max: 12 }).map((servers): Mounting => ({ kind: 'distractors', servers })),
  fc
    .record({ tools: fc.integer({ min: 1, max: 130 }), schemaTokens: fc.integer({ min: 100, max: 30_000 }) })
    .map((budget): Mounting => ({ kind: 'standard', ...budget })),
);
const anyChain = fc.array(fc.constantFrom(...tools.map(({ name }) => name)), { minLength: 1, maxLength: 6 });

describe('a mounting', () => {
  it('is the same for the same unit and seed, whatever the order of the catalog', () => {
    fc.assert(
      fc.property(anyMounting, anyChain, fc.nat(), (mounting, chain, seed) => {
        const input = { mounting, unit: { id: 'u', chain }, seed };
        const reversed = groupMountableToolsByServer(tools.toReversed());
        expect(namesOf({ ...input, catalog: reversed })).toEqual(namesOf(input));
      }),
    );
  });

  it('has every expected tool, each tool once, and only tools of the catalog', () => {
    fc.assert(
      fc.property(anyMounting, anyChain, fc.nat(), (mounting, chain, seed) => {
        const names = namesOf({ mounting, unit: { id: 'u', chain }, seed });
        expect(new Set(names).size).toBe(names.length);
        expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
        expect(names).toEqual(expect.arrayContaining([...new Set(chain)]));
      }),
    );
  });

  it('shows the tool that a negative unit looks like as if it were expected, however small its budget is', () => {
    fc.assert(
      fc.property(anyMounting, fc.constantFrom(...tools), fc.nat(), (mounting, { name }, seed) => {
        const like = { mounting, seed };
        const negative = namesOf({ ...like, unit: { id: 'u', chain: [], looksLike: name } });
        expect(negative).toContain(name);
        expect(negative).toEqual(namesOf({ ...like, unit: { id: 'u', chain: [name] } }));
      }),
    );
  });

  it('shows the servers of the chain alone as oracle, and all servers at max-scale', () => {
    expect(serversIn(namesOf({ mounting: { kind: 'oracle' } }))).toEqual(['s3', 's7']);
    expect(namesOf({ mounting: { kind: 'oracle' } })).toHaveLength(20);
    expect(namesOf({ mounting: { kind: 'max-scale' } })).toHaveLength(100);
  });

  it('adds as many whole servers as it has distractors, and more distractors only add to fewer', () => {
    const [three, five] = [3, 5].map((servers) => serversIn(namesOf({ mounting: { kind: 'distractors', servers } })));
    expect(three).toHaveLength(5);
    expect(five).toHaveLength(7);
    expect(five).toEqual(expect.arrayContaining(three ?? []));
    expect(namesOf({ mounting: { kind: 'distractors', servers: 5 } })).toHaveLength(70);
    expect(namesOf({ mounting: { kind: 'distractors', servers: 500 } })).toHaveLength(100);
  });

  it('draws other servers for another unit and for another seed', () => {
    const mounting: Mounting = { kind: 'distractors', servers: 2 };
    const drawn = [1, 2, 3, 4, 5].map((seed) => serversIn(namesOf({ mounting, seed })).join());
    const drawnFor = ['a', 'b', 'c', 'd', 'e'].map((id) =>
      serversIn(namesOf({ mounting, unit: { ...unit, id } })).join(),
    );
    expect(new Set(drawn).size).toBeGreaterThan(1);
    expect(new Set(drawnFor).size).toBeGreaterThan(1);
  });

  it('tells nothing by position: over units, an expected tool is in each quarter of the list equally often', () => {
    const quarters = [0, 0, 0, 0];
    for (let at = 0; at < 2_000; at += 1) {
      const names = namesOf({ mounting: standardMounting, unit: { ...unit, id: `u_${at}` } });
      const quarter = Math.floor((names.indexOf('s3/t01') / names.length) * 4);
      quarters[quarter] = (quarters[quarter] ?? 0) + 1;
    }
    for (const count of quarters) expect(Math.abs(count - 500)).toBeLessThan(80);
  });
});

describe('the standard mounting', () => {
  const budgets = fc.record({
    tools: fc.integer({ min: 20, max: 130 }),
    schemaTokens: fc.integer({ min: 4_000, max: 30_000 }),
  });

  it('stays within its budgets and mounts whole servers where the unit fits into them', () => {
    fc.assert(
      fc.property(budgets, fc.nat(), (budget, seed) => {
        const mounted = listShuffledMountedTools({ mounting: { kind: 'standard', ...budget }, unit, catalog, seed });
        expect(mounted.length).toBeLessThanOrEqual(budget.tools);
        expect(sumToolsAndTokens(mounted).schemaTokens).toBeLessThanOrEqual(budget.schemaTokens);
        const perServer = Map.groupBy(mounted, ({ server }) => server);
        for (const own of perServer.values()) expect(own).toHaveLength(10);
      }),
    );
  });

  it('fills its budget: no server that is left out would still fit', () => {
    const sizes = [30, 25, 20, 12, 7, 5, 3, 2, 1];
    const uneven = groupMountableToolsByServer(
      sizes.flatMap((size, server) => Array.from({ length: size }, (_, at) => tool(`s${server}`, at))),
    );
    for (let seed = 0; seed < 50; seed += 1) {
      const names = namesOf({
        mounting: { kind: 'standard', tools: 60, schemaTokens: 44_000 },
        unit: { id: 'u', chain: ['s3/t01'] },
        catalog: uneven,
        seed,
      });
      const mounted = new Set(serversIn(names));
      const leftOut = sizes.filter((_, server) => !mounted.has(`s${server}`));
      expect(names.length).toBeLessThanOrEqual(60);
      for (const size of leftOut) expect(names.length + size).toBeGreaterThan(60);
    }
  });

  it('keeps every expected tool where the own servers exceed the budget, fills up with their others and adds no server', () => {
    const mounting: Mounting = { kind: 'standard', tools: 8, schemaTokens: 44_000 };
    const names = namesOf({ mounting });
    expect(names).toHaveLength(8);
    expect(names).toEqual(expect.arrayContaining(unit.chain));
    expect(serversIn(names)).toEqual(['s3', 's7']);
  });

  it('mounts the expected tools even beyond a budget that they exceed themselves', () => {
    const names = namesOf({ mounting: { kind: 'standard', tools: 2, schemaTokens: 1_000 } });
    expect(names.toSorted()).toEqual(unit.chain.toSorted());
  });
});

describe('the counts of a mounting', () => {
  const counted = (mounting: Mounting) =>
    summariseMountedOverUnits(
      mounting,
      [unit, { id: 'u_2', chain: ['s1/t00'] }].map((each) =>
        countToolsAndTokensMountedInUnit({ mounting, unit: each, catalog, seed: 1 }),
      ),
    );

  it('are the numbers of tools and schema tokens over the units', () => {
    expect(counted({ kind: 'oracle' })).toEqual({
      mounting: { kind: 'oracle' },
      tools: { mean: 15, least: 10, most: 20 },
      schemaTokens: { mean: 3_000, least: 2_000, most: 4_000 },
      cutUnits: 0,
    });
    expect(counted({ kind: 'max-scale' }).tools).toEqual({ mean: 100, least: 100, most: 100 });
  });

  it('count the units whose own servers did not fit', () => {
    expect(counted({ kind: 'standard', tools: 12, schemaTokens: 44_000 })).toMatchObject({
      tools: { mean: 11, least: 10, most: 12 },
      cutUnits: 1,
    });
  });

  it('are those of the tools that an attempt sees', () => {
    fc.assert(
      fc.property(anyMounting, anyChain, fc.nat(), (mounting, chain, seed) => {
        const input = { mounting, unit: { id: 'u', chain }, catalog, seed };
        const mounted = listShuffledMountedTools(input);
        expect(countToolsAndTokensMountedInUnit(input)).toMatchObject({
          tools: mounted.length,
          schemaTokens: sumToolsAndTokens(mounted).schemaTokens,
        });
      }),
    );
  });
});
