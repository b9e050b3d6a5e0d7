import { expect, test } from 'vitest';
import { readingCsvColumns, transitionColumns } from '../../../client/display/finding-columns.ts';
import { csvFileOfList } from '../../../web/runs/csv-file.ts';
import { reading } from '../../client/records.ts';

async function* listOf<T>(...items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items;
}

test('transitions are records with CRLF, and quotes and formulas in names of tools are harmless', async () => {
  const rows = listOf(
    { from: 'x/a', to: 'x/b', executed: 3, expected: 2, valuePassed: 1 },
    { from: '=cmd|calc', to: 'x/say "hi", twice', executed: 0, expected: 1, valuePassed: 0 },
  );
  expect(await csvFileOfList('transitions.csv', transitionColumns, rows)).toEqual({
    name: 'transitions.csv',
    type: 'text/csv',
    text: 'from,to,executed,expected,value passed\r\nx/a,x/b,3,2,1\r\n\'=cmd|calc,"x/say ""hi"", twice",0,1,0\r\n',
  });
});

test('readings are a record for each round, with an empty cell for what is unknown', async () => {
  const { text } = await csvFileOfList(
    'readings.csv',
    readingCsvColumns,
    listOf(reading({ round: 1, probeCoverage: null }), reading({ round: 2 })),
  );
  const [titles = [], ...rounds] = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(rounds.map((cells) => cells.length)).toEqual([titles.length, titles.length]);
  expect(rounds.map(([round]) => round)).toEqual(['1', '2']);
  expect(rounds[0]?.[titles.indexOf('probe_coverage')]).toBe('');
});

test('a list of nothing is a file of titles', async () => {
  const { text } = await csvFileOfList('transitions.csv', transitionColumns, listOf());
  expect(text).toBe('from,to,executed,expected,value passed\r\n');
});
