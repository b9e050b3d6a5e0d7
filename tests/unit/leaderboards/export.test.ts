import { describe, expect, test } from 'vitest';
import { entry } from '#core/leaderboards/record.ts';
import { exportHeaderTextOrEmpty, entryExportLineText } from '#core/leaderboards/export.ts';
import { entryWith, ranked } from '../../support/entries.ts';

const hidden = {
  units: 3,
  attempts: 24,
  notEvaluated: 1,
  scores: entryWith({}, [0.5]).scores,
  gap: {
    execution: { difference: 0.1, low: 0.05, high: 0.15 },
    mtc: { difference: null, low: null, high: null },
    tcs: { difference: 0, low: -1, high: 1 },
    success: { difference: null, low: null, high: null },
  },
};

/** A record of a CSV file without quoted cells, by its titles. */
function cells(line: string): Record<string, string> {
  const titles = exportHeaderTextOrEmpty('csv', 'sgvef').trim().split(',');
  const values = line.trimEnd().split(',');
  expect(values).toHaveLength(titles.length);
  return Object.fromEntries(titles.map((title, index) => [title, values[index] ?? '']));
}

describe('an export of entries', () => {
  test('is the unchanged entries with their places in JSON Lines', () => {
    const of = entryWith({ private: hidden });
    expect(exportHeaderTextOrEmpty('jsonl', 'sgvef')).toBe('');
    const line = entryExportLineText('jsonl', 'sgvef', ranked(of, { position: 3, rank: 2 }));
    expect(line.endsWith('\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({ position: 3, rank: 2, onFront: false, ...of });
    expect(entry.parse(JSON.parse(line))).toEqual(of);
  });

  test('has a column for each figure in CSV, and empty cells for missing ones', () => {
    const of = {
      ...entryWith({ costUsd: 0.5, private: hidden }),
      configuration: { loop: 'external', model: null, limits: {} },
    };
    expect(cells(entryExportLineText('csv', 'sgvef', ranked(of, { position: 3, rank: 2 })))).toMatchObject({
      position: '3',
      rank: '2',
      on_front: 'false',
      entry: 'sub_a',
      tier: 'service',
      model: '',
      execution: '0.5',
      execution_low: '',
      execution_n: '2',
      pass_hat_4: '0.5',
      cost_usd: '0.5',
      tokens: '',
      private_units: '3',
      private_execution: '0.5',
      gap_execution: '0.1',
      gap_execution_low: '0.05',
      gap_mtc: '',
      offline: 'false',
    });
    const alone = entryWith({ configuration: { loop: 'external', model: null, limits: {} } });
    expect(cells(entryExportLineText('csv', 'sgvef', ranked(alone)))).toMatchObject({
      private_units: '',
      private_execution: '',
      gap_execution: '',
    });
  });

  test('does not let a name become a formula or end its cell', () => {
    const line = entryExportLineText('csv', 'sgvef', ranked(entryWith({ name: '=HYPERLINK("http://x"),\r\nsub_b' })));
    expect(line).toContain(`"'=HYPERLINK(""http://x""),\r\nsub_b"`);
    expect(entryExportLineText('csv', 'sgvef', ranked(entryWith({ name: '\t1' })))).toContain(`,"'\t1",`);
    for (const begin of ['=', '+', '-', '@'])
      expect(entryExportLineText('csv', 'sgvef', ranked(entryWith({ name: `${begin}1` })))).toContain(`,'${begin}1,`);
  });
});
