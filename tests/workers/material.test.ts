import { env } from 'cloudflare:workers';
import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { keptExamples } from '#core/units/survey/examples.ts';
import { newUnit } from '#core/units/progress.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { Unit } from '#core/units/unit.ts';
import { MaterialTable } from '#durable-objects/exploration/material-table.ts';
import { parseRows } from '#durable-objects/shared/rows.ts';
import { exploreToEnd, prepare } from '../support/exploration.ts';
import { makeStep, makeTrace } from '../support/traces.ts';
import { unique } from '../support/workspace.ts';
import { tools } from '../support/world.ts';

const makeTool = (name: string) => ({ name, server: 'fruit', domain: 'd', category: 'other', inputSchema: {} });

const makeUnit = (id: string, round: number, more: Partial<Unit> = {}): Unit => ({
  ...newUnit({
    id,
    round,
    index: 0,
    probe: false,
    lineage: null,
    relation: 'paraphrase',
    draws: [{ tools: ['fruit/a', 'fruit/b'], known: [] }],
  }),
  ...more,
});

const traceOf = (id: string): Trace => makeTrace([makeStep('fruit/a', { arguments: { id } })]);

/** Runs a test on the tables of an object that holds no run. */
const withTable = <T>(run: (table: MaterialTable, sql: SqlStorage) => T): Promise<T> =>
  runInDurableObject(env.EXPLORATION_RUN.getByName(unique('exp')), (_, state) =>
    run(new MaterialTable(state.storage.sql), state.storage.sql),
  );

const idsSeen = (table: MaterialTable, unit: Unit, usesFeedback = true): unknown[] =>
  table
    .chooseWriterMaterial(unit, [makeTool('fruit/a')], usesFeedback)
    .examples.map(({ arguments: given }) => given['id']);

describe('the examples that a writer sees', () => {
  test('are those of earlier rounds, in whatever order their units ended', async () => {
    const ids = Array.from({ length: 30 }, (_, i) => `id-${i}`);
    const forwards = await withTable((table) => {
      for (const id of ids) table.addExamplesFromTrace(makeUnit(`r1-${id}`, 1), traceOf(id));
      expect(idsSeen(table, makeUnit('r1-x', 1))).toEqual([]);
      return idsSeen(table, makeUnit('r2-x', 2));
    });
    const backwards = await withTable((table) => {
      for (const id of ids.toReversed()) table.addExamplesFromTrace(makeUnit(`r1-${id}`, 1), traceOf(id));
      table.addExamplesFromTrace(makeUnit('r2-y', 2), traceOf('id-late'));
      return idsSeen(table, makeUnit('r2-x', 2));
    });
    expect(forwards).toHaveLength(3);
    expect(backwards).toEqual(forwards);
  });

  test('take the same space however long the run is, and repeating a commit changes nothing', async () => {
    await withTable((table, sql) => {
      const rows = (): unknown[] => parseRows(z.looseObject({}), sql.exec('SELECT * FROM examples ORDER BY arguments'));
      for (let round = 1; round <= 20; round += 1)
        for (let i = 0; i < 10; i += 1)
          table.addExamplesFromTrace(makeUnit(`r${round}-${i}`, round), traceOf(`${round}-${i}`));
      const stored = rows();
      expect(stored.length).toBeLessThanOrEqual(2 * keptExamples);
      table.addExamplesFromTrace(makeUnit('r20-9', 20), traceOf('20-9'));
      expect(rows()).toEqual(stored);
    });
  });

  test('neither come from probes nor are shown to them, nor are those of units that are held out', async () => {
    await withTable((table, sql) => {
      table.addExamplesFromTrace(makeUnit('r1-p', 1, { probe: true }), traceOf('of a probe'));
      table.addExamplesFromTrace(makeUnit('r1-u', 1), traceOf('of a unit'));
      expect(idsSeen(table, makeUnit('r2-u', 2))).toEqual(['of a unit']);
      expect(idsSeen(table, makeUnit('r2-p', 2, { probe: true }))).toEqual([]);
      expect(idsSeen(table, makeUnit('r2-u', 2), false)).toEqual([]);
      const lineage = { evolution: 1, kind: 'entities' as const, seeds: [] };
      expect(idsSeen(table, makeUnit('e01-u', 1, { lineage }), false)).toEqual(['of a unit']);
      sql.exec("INSERT INTO withheld (unit) VALUES ('r1-u')");
      expect(idsSeen(table, makeUnit('r2-u', 2))).toEqual([]);
    });
  });
});

describe('the prompts of an exploration', () => {
  const withExamples = /<data name="values">\n\[\{"tool":"fruit\//;
  const withoutExamples = /<data name="values">\n\[\]/;
  /** The prompts for writers and critics of a run of three rounds. */
  const promptsOf = async (strategy: string): Promise<string[]> => {
    const basket = { name: 'basket', annotations: { readOnlyHint: true } };
    const ground = await prepare({
      servers: { fruit: { tools: [basket, ...(tools('apple', 'pear', 'plum') ?? [])] } },
    });
    const { record } = await exploreToEnd(ground, { rounds: 3, batch: 2, more: { strategy } });
    expect(record.units.accepted).toBeGreaterThan(0);
    const forms = ['scenario', 'metamorphic-pair', 'catalog-pairs', 'audit'];
    const asked = (await ground.model.asked()).filter(({ form }) => forms.includes(form));
    return asked
      .map(({ messages }) => messages.map(({ content }) => content).join('\n'))
      .filter((text) => text.includes('<data name="values">'));
  };

  test('have the surveys and, from the second round on, examples where the strategy uses feedback', async () => {
    const texts = await promptsOf('sgvef');
    expect(texts.every((text) => text.includes('"from":"fruit/basket"'))).toBe(true);
    expect(texts.some((text) => withExamples.test(text))).toBe(true);
    expect(texts.some((text) => withoutExamples.test(text))).toBe(true);
  });

  test.each(['sgve', 'gve'])('have the surveys and no example under %s, which uses no feedback', async (strategy) => {
    const texts = await promptsOf(strategy);
    expect(texts.length).toBeGreaterThan(8);
    expect(texts.every((text) => text.includes('"from":"fruit/basket"'))).toBe(true);
    expect(texts.every((text) => withoutExamples.test(text))).toBe(true);
  });
});
