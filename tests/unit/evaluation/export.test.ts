import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportedAttempt } from '#core/evaluation/breakdown-record.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { csvRecordText, csvCellSafeFromFormulas } from '#core/values/csv.ts';
import { listExportedAttemptsOfCase, exportHeaderLineText, exportLineText } from '#core/evaluation/export.ts';
import { makeUnscored } from '#core/scoring/score.ts';
import { classified } from './basis.ts';
import { attemptOf, begun, chain, finished } from './cases.ts';

/** Reads CSV by RFC 4180 and nothing else. */
function parsed(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, bare = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const mounted = { mounting: 'standard', tools: 120, schemaTokens: 30_000 };

const rowsOf = (...cases: readonly EvaluationCase[]): Record<string, string>[] => {
  const csv =
    exportHeaderLineText('csv', 'sgvef') +
    cases
      .flatMap((each) => listExportedAttemptsOfCase(each, mounted))
      .map((each) => exportLineText('csv', 'sgvef', each))
      .join('');
  const [head = [], ...rows] = parsed(csv);
  return rows.map((row) => {
    expect(row).toHaveLength(head.length);
    return Object.fromEntries(head.map((title, at) => [title, row[at] ?? '']));
  });
};

describe('a CSV export', () => {
  it('round-trips every text', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2 }), { minLength: 1 }), (rows) => {
        expect(parsed(rows.map(csvRecordText).join(''))).toEqual(rows);
      }),
    );
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx'])('never starts a cell with the formula %j', (text) => {
    expect(csvCellSafeFromFormulas(text)).toBe(`'${text}`);
  });

  it.each([
    ['\t=1', "'\t'=1"],
    ['x;=1+1', "x;'=1+1"],
    ['a,-1', "a,'-1"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['a\r\n+1', "a\r\n'+1"],
    ['\uff1d1+1', "'\uff1d1+1"],
    ['x;\uff0b1', "x;'\uff0b1"],
    [' =1+1', "' =1+1"],
    ['x; =1+1', "x;' =1+1"],
    ['=1;=2', "'=1;'=2"],
  ])('never starts a cell with the formula %j behind any separator', (text, safe) => {
    expect(csvCellSafeFromFormulas(text)).toBe(safe);
  });

  it('quotes what another spreadsheet would split', () => {
    expect(csvRecordText(['a;b', 'a\tb', 'a b', 1])).toBe('"a;b","a\tb",a b,1\r\n');
  });

  it.each(['', 'a=1', '1-1', ' plain', "'quoted"])('leaves %j unchanged', (text) => {
    expect(csvCellSafeFromFormulas(text)).toBe(text);
  });
});

describe('an export of attempts', () => {
  it('has one line for each attempt with all stored data', () => {
    const each = finished({ unit: 'u', agent: 'a', trial: 2 }, { tools: chain }, { tools: null });
    const lines = listExportedAttemptsOfCase(each, mounted).map((attempt) => exportLineText('jsonl', 'sgvef', attempt));
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    const attempts = lines.map((line) => exportedAttempt.parse(JSON.parse(line)));
    expect(attempts).toEqual([
      { case: 'u.a.01', unit: 'u', agent: 'a', trial: 2, side: 'source', ...each.attempts.source, mounted },
      { case: 'u.a.01', unit: 'u', agent: 'a', trial: 2, side: 'followUp', ...each.attempts.followUp, mounted },
    ]);
    expect(attempts[1]?.scores.ar).toMatchObject({ value: null, reason: 'not-evaluated' });
    expect(exportHeaderLineText('jsonl', 'sgvef')).toBe('');
  });

  it('leaves out attempts that were not made yet', () => {
    expect(listExportedAttemptsOfCase(begun(), mounted)).toEqual([]);
  });

  it('has flat columns in CSV, with the reason next to a missing score', () => {
    const graded = { tools: ['fruit/apple!', ...chain], grades: { ar: makeUnscored('judge-refused', {}) } };
    const [source, followUp] = rowsOf(classified({ unit: 'u', agent: 'a' }, graded, 'syntactic-malformation'));
    expect(source).toMatchObject({
      unit: 'u',
      trial: '1',
      side: 'source',
      evaluated: 'true',
      ar: '',
      ar_unscored: 'judge-refused',
      uic: '0.9',
      uic_unscored: '',
      calls: '3',
      failed_calls: '1',
      spoilt_calls: '0',
      tools: 'fruit/apple > fruit/apple > fruit/pear',
      outcomes: 'failure > success > success',
      failures: 'syntactic-malformation',
      cost_usd: '0.5',
      fault: '',
      response: 'It is done.',
    });
    expect(followUp).toMatchObject({ side: 'followUp', failures: '' });
  });

  it('reports faults, and never lets text of models or servers become a formula', () => {
    const each = finished({ unit: 'u', agent: 'a' }, { tools: ['=cmd|calc!'] }, { tools: null });
    const source = { ...attemptOf(each, 'source'), response: '-1,"x"\n' };
    const dangerous = { ...each, attempts: { ...each.attempts, source } };
    const [first, second] = rowsOf(dangerous);
    expect(first).toMatchObject({ tools: "'=cmd|calc", response: `'-1,"x"\n` });
    expect(second).toMatchObject({
      evaluated: 'false',
      tcs_unscored: 'not-evaluated',
      fault: 'server fruit unreachable',
      fault_detail: 'nothing listens there',
    });
  });
});
