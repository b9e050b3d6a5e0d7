import { transitionRecord } from '#core/exploration/counts.ts';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { roundReading } from '#core/exploration/reading-record.ts';
import { domainTransition, unitSummary, type ExplorationRecord } from '#core/exploration/record.ts';
import type { Mounting } from '#core/units/mounting/mounting.ts';
import { unitsCommitted } from '../support/exploration-state.ts';
import {
  endOf,
  explore,
  exploreToEnd,
  follow,
  prepare,
  recordOf,
  unitsOf,
  wholeUnitsOf,
} from '../support/exploration.ts';
import { expectStatus, pageOf } from '../support/workspace.ts';

describe('the base agent of an exploration', () => {
  const offered = async (mounting: Mounting | undefined): Promise<ReadonlySet<number>> => {
    const ground = await prepare();
    await exploreToEnd(ground, { rounds: 1, batch: 3, more: mounting === undefined ? {} : { mounting } });
    const turns = (await ground.model.asked()).filter(({ form }) => form === 'turn');
    return new Set(turns.map(({ functions }) => functions.length));
  };

  test('sees the tools of other servers too, up to the budget of the standard mounting', async () => {
    expect(await offered(undefined)).toEqual(new Set([10]));
    expect(Math.max(...(await offered({ kind: 'standard', tools: 8, schemaTokens: 44_000 })))).toBeLessThanOrEqual(8);
  });

  test('sees the servers of the chain alone if that is asked for', async () => {
    expect(Math.min(...(await offered({ kind: 'oracle' })))).toBeLessThan(10);
  });
});

describe('an exploration from start to end', () => {
  test('has consistent counts, units, transitions and server logs', async () => {
    const ground = await prepare();
    const { run, record, units, events } = await exploreToEnd(ground, { rounds: 3, batch: 3 });
    expect(record).toMatchObject({
      status: 'completed',
      reason: 'budget: rounds used up',
      rounds: 3,
      offline: true,
      units: { accepted: 9, review: 0, rejected: 0, lost: 0, dropped: 0, probes: 3 },
    });
    expect(unitsCommitted(record.units)).toBe(units.length);
    expect(units.map(({ unit }) => unit.id).slice(0, 5)).toEqual([
      'r0001-p',
      'r0001-u00',
      'r0001-u01',
      'r0001-u02',
      'r0002-p',
    ]);
    expect(new Set(units.map(({ unit }) => endOf(unit).status))).toEqual(new Set(['accepted']));

    // Every successful step of every trace is a call that a server got, and the servers got no other.
    const steps = units.flatMap(({ traces }) => [...(traces.source?.steps ?? []), ...(traces.followUp?.steps ?? [])]);
    const logs = await Promise.all(
      Object.entries(ground.servers).map(async ([name, server]) =>
        (await server.log()).calls.map(({ tool, arguments: args }) => JSON.stringify([`${name}/${tool}`, args])),
      ),
    );
    expect(steps.length).toBeGreaterThan(40);
    expect(steps.map(({ tool, arguments: args }) => JSON.stringify([tool, args])).toSorted()).toEqual(
      logs.flat().toSorted(),
    );
    for (const { unit, traces } of units) {
      for (const side of ['source', 'followUp'] as const) {
        expect(traces[side]?.steps.map(({ tool }) => tool)).toEqual(unit.pair?.chain);
        expect(unit.executions[side]?.end).toBe('answered');
      }
    }

    // Usage is what the models counted, tokens and money.
    const asked = await ground.model.asked();
    expect(record.usage).toEqual({
      calls: asked.length,
      promptTokens: asked.length * 2_000,
      completionTokens: asked.length * 200,
      costUsd: expect.closeTo((asked.length * (2_000 * 1 + 200 * 2)) / 1e6, 9),
    });

    const { workspace } = ground;
    const list = pageOf(transitionRecord).parse(
      expectStatus(await workspace.get(`/v1/explorations/${run}/transitions?limit=500`), 200),
    );
    expect(list.items.filter(({ executed }) => executed > 0).length).toBe(record.transitions);
    expect(list.items.filter(({ valuePassed }) => valuePassed > 0).length).toBe(record.valuesPassed);
    expect(record.valuesPassed).toBeGreaterThan(0);
    const domains = z
      .object({ items: z.array(domainTransition) })
      .parse(expectStatus(await workspace.get(`/v1/explorations/${run}/domains`), 200));
    expect(domains.items.reduce((sum, { transitions }) => sum + transitions, 0)).toBe(record.transitions);
    const readings = pageOf(roundReading).parse(
      expectStatus(await workspace.get(`/v1/explorations/${run}/richness`), 200),
    );
    expect(readings.items.map(({ round }) => round)).toEqual([1, 2, 3]);
    expect(readings.items.at(-1)).toEqual(record.reading);
    expect(record.reading?.probeCoverage).not.toBeNull();
    expect(events.filter(({ event }) => event.type === 'round.committed').length).toBe(3);
  });

  test('has lists that can be paged and filtered', async () => {
    const ground = await prepare();
    const { run, units } = await exploreToEnd(ground, { rounds: 2, batch: 3 });
    const at = `/v1/explorations/${run}`;
    const paged = async <T>(path: string, schema: z.ZodType<T>): Promise<T[]> => {
      const seen: T[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const answer = await ground.workspace.get(
          `${path}${path.includes('?') ? '&' : '?'}limit=2&cursor=${encodeURIComponent(cursor)}`,
        );
        const page = pageOf(schema).parse(expectStatus(answer, 200));
        seen.push(...page.items);
        cursor = page.nextCursor;
      }
      return seen;
    };
    expect((await paged(`${at}/units`, unitSummary)).map(({ id }) => id)).toEqual(units.map(({ unit }) => unit.id));
    expect((await paged(`${at}/units?probe=true`, unitSummary)).map(({ id }) => id)).toEqual(['r0001-p', 'r0002-p']);
    expect((await paged(`${at}/units?round=2&probe=false`, unitSummary)).length).toBe(3);
    expect((await paged(`${at}/units?status=rejected`, unitSummary)).length).toBe(0);
    const tool = units[1]?.unit.pair?.chain[0] ?? '';
    const expected = units.filter(({ unit }) => unit.pair?.chain.includes(tool)).map(({ unit }) => unit.id);
    expect((await paged(`${at}/units?tool=${encodeURIComponent(tool)}`, unitSummary)).map(({ id }) => id)).toEqual(
      expected,
    );
    expect((await paged(`${at}/richness`, roundReading)).length).toBe(2);
    const names = (await paged(`${at}/transitions`, transitionRecord)).map(({ from, to }) => `${from} ${to}`);
    expect(names).toEqual([...new Set(names)].toSorted());
  });

  test.each(['frontier', 'sgvef', 'sgve', 'gve', 'inverse-frequency', 'hierarchical', 'chain'])(
    'works under the strategy %s',
    async (strategy) => {
      const ground = await prepare();
      const { record, units } = await exploreToEnd(ground, { rounds: 2, batch: 6, more: { strategy } });
      expect(record).toMatchObject({ status: 'completed', units: { probes: 2 } });
      expect(unitsCommitted(record.units)).toBe(14);
      expect(record.units.accepted).toBeGreaterThan(8);
      const asked = await ground.model.asked();
      const steered = units.filter(({ unit }) => !unit.probe);
      const told = steered.some(({ unit }) => unit.draws.some(({ known }) => known.length > 0));
      expect(told).toBe(!['sgve', 'gve'].includes(strategy));
      const groups = asked.filter(({ form }) => form === 'catalog-pairs');
      expect(groups.length).toBe(strategy === 'gve' ? 4 : 0);
      if (strategy === 'gve')
        expect(steered.every(({ unit }) => unit.draws.length === 0 && unit.scenario === null)).toBe(true);
      for (const { unit } of units.filter((each) => each.unit.probe))
        expect(unit.draws.every(({ known }) => known.length === 0)).toBe(true);
    },
  );
});

describe('the tier of an audited unit', () => {
  const middling = [
    { form: 'audit', behaviour: { kind: 'grades', semanticEquivalence: 85, parameterSolvability: 99 } },
  ] as const;
  const expected: Record<string, Partial<ExplorationRecord['units']>> = {
    park: { review: 2 },
    accept: { accepted: 2 },
    reject: { rejected: 2 },
  };
  test.each(Object.keys(expected))('is handled by the review policy %s', async (review) => {
    const ground = await prepare({ rules: middling });
    const { run, record } = await exploreToEnd(ground, { batch: 2, more: { review } });
    expect(record.units).toMatchObject(expected[review] ?? {});
    const waiting = pageOf(unitSummary).parse(
      expectStatus(await ground.workspace.get(`/v1/reviews?exploration=${run}`), 200),
    );
    expect(waiting.items.length).toBe(review === 'park' ? 3 : 0);
    expect(waiting.items.every(({ status, score }) => status === 'review' && score === 85)).toBe(true);
    const turns = (await ground.model.asked()).filter(({ form }) => form === 'turn').length;
    expect(turns > 0).toBe(review === 'accept');
  });

  test('below the passing score leads to a refinement that keeps the old wording, and then to acceptance', async () => {
    const ground = await prepare({
      rules: [
        { form: 'audit', times: 2, behaviour: { kind: 'grades', semanticEquivalence: 100, parameterSolvability: 40 } },
      ],
    });
    const { record, units } = await exploreToEnd(ground, { batch: 1 });
    expect(record.units).toMatchObject({ accepted: 1, probes: 1 });
    expect((await ground.model.asked()).filter(({ form }) => form === 'refinement').length).toBe(2);
    const refined = units.filter(({ unit }) => unit.superseded.length > 0);
    expect(refined.length).toBeGreaterThan(0);
    for (const { unit } of refined) {
      expect(unit.audits.length).toBe(unit.superseded.length + 1);
      expect(unit.pair?.source).toEqual(expect.stringContaining('Kindly'));
      expect(unit.superseded[0]?.source).not.toEqual(expect.stringContaining('Kindly'));
    }
  });

  test('that stays too low leads to rejection after all refinements', async () => {
    const ground = await prepare({
      rules: [{ form: 'audit', behaviour: { kind: 'grades', semanticEquivalence: 10, parameterSolvability: 100 } }],
    });
    const { record, units } = await exploreToEnd(ground, { batch: 1, more: { maxRefinements: 2 } });
    expect(record.units).toMatchObject({ rejected: 1, probes: 1, accepted: 0 });
    expect(units.map(({ unit }) => [unit.audits.length, unit.superseded.length])).toEqual([
      [3, 2],
      [3, 2],
    ]);
  });
});

describe('the end of an exploration', () => {
  test.each([
    ['tokens', { tokens: 10_000 }, 'budget: tokens used up'],
    ['money', { costUsd: 0.0001 }, 'budget: costUsd used up'],
    ['time', { wallMs: 1_000 }, 'budget: wallMs used up'],
  ])('comes with a budget of %s', async (_what, part, reason) => {
    const ground = await prepare({ rules: [{ form: 'scenario', behaviour: { kind: 'slow', ms: 150 } }] });
    const { record } = await exploreToEnd(ground, { batch: 1, more: { budget: { rounds: 60, ...part } } });
    expect(record).toMatchObject({ status: 'completed', reason });
    expect(record.rounds).toBeLessThan(20);
  });

  test('comes with the rule chao1 when nothing new is left on two tools', async () => {
    const ground = await prepare({ servers: { fruit: { tools: [{ name: 'apple' }, { name: 'pear' }] } } });
    const { record } = await exploreToEnd(ground, {
      batch: 2,
      more: { strategy: 'sgvef', budget: { rounds: 20 }, stop: { rule: 'chao1' } },
    });
    expect(record).toMatchObject({ status: 'completed', reason: expect.stringContaining('stop rule: chao1') });
    expect(record.rounds).toBeLessThan(20);
  });

  test('leaves the run listed, and nothing to wake', async () => {
    const ground = await prepare();
    const run = await explore(ground, { batch: 1 });
    await follow(ground.workspace.key, run);
    const list = pageOf(z.object({ id: z.string(), createdAt: z.string() })).parse(
      (await ground.workspace.get('/v1/explorations')).body,
    );
    expect(list.items.map(({ id }) => id)).toEqual([run]);
    const before = await unitsOf(ground, run);
    expect((await ground.workspace.post('/v1/wake')).status).toBe(200);
    expect(await unitsOf(ground, run)).toEqual(before);
  });

  test('changes nothing for runs stored before facts, reviews and variants existed', async () => {
    const ground = await prepare();
    const { run, record, units } = await exploreToEnd(ground, { batch: 1 });
    const stub = env.EXPLORATION_RUN.getByName(run);
    await runInDurableObject(stub, (_object, { storage }) => {
      storage.sql
        .exec(`UPDATE units SET json = json_remove(json, '$.lineage', '$.grounding', '$.decisions', '$.duplicateOf',
        '$.audits[0].facts')`);
      storage.sql.exec(`UPDATE facts SET json = json_remove(json, '$.knowledge', '$.grounding')`);
    });
    await evictDurableObject(stub);
    expect(await recordOf(ground, run)).toEqual(record);
    expect(await wholeUnitsOf(ground, run)).toEqual(units);
  });
});
