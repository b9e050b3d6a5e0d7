import { expect, test } from 'vitest';
import { outputLineWidth, Output, type Sink } from '../../client/command-line/output.ts';
import { listLines, tableLines, type Column } from '../../client/command-line/table-lines.ts';
import {
  wholeNumberText,
  countWithNoun,
  cutToWidth,
  durationText,
  makePrintableLine,
  widthOf,
} from '../../client/command-line/text.ts';

interface Row {
  readonly name: string;
  readonly n: number;
  readonly about: string;
}
const columns = [
  { title: 'name', cell: ({ name }: Row) => name },
  { title: 'n', cell: ({ n }: Row) => n },
  { title: 'about', cell: ({ about }: Row) => about, flexible: true },
] as const;

test('numbers are aligned to the right and texts to the left by their display width', () => {
  const rows = [
    { name: 'calc', n: 1234, about: 'x' },
    { name: '菜谱', n: 7, about: 'y' },
  ];
  expect(tableLines(columns, rows, 80)).toEqual(['name      n  about', 'calc  1,234  x', '菜谱      7  y']);
});

test('the flexible column shrinks, so that no line is too wide', () => {
  const rows = [{ name: 'calc', n: 1, about: '菜'.repeat(60) }];
  const lines = tableLines(columns, rows, 40);
  expect(lines.map(widthOf).every((width) => width <= 40)).toBe(true);
  expect(lines[1]).toMatch(/^calc {2}1 {2}菜+…$/);
});

test('text from servers and models cannot control the terminal', () => {
  const rows = [{ name: '\u001B[2Ja\nb', n: 1, about: '\u009B31m\u202Eevil\u200B\u0007' }];
  expect(tableLines(columns, rows, 80)[1]).toBe('[2Ja b  1  31mevil');
  expect(makePrintableLine('one\r\n\t two\u2028three')).toBe('one two three');
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['菜谱菜谱', 5, '菜谱…'],
  ['菜谱菜谱', 4, '菜…'],
  ['abc', 0, ''],
])('%s is cut to %i columns', (text, columns, expected) => {
  expect(cutToWidth(text, columns)).toBe(expected);
});

test('numbers, counts and times are formatted for people', () => {
  expect([wholeNumberText(1234567.4), countWithNoun(1, 'unit'), countWithNoun(0, 'unit')]).toEqual([
    '1,234,567',
    '1 unit',
    '0 units',
  ]);
  expect([0, 59_400, 65_000, 3_720_000].map(durationText)).toEqual(['0 s', '59 s', '1 min 05 s', '1 h 02 min']);
});

function captured() {
  const written: string[] = [];
  const sink: Sink = { write: (text) => written.push(text) };
  return { written, sink };
}

test('in JSON mode a list is one value per line without notes', async () => {
  const [out, notes] = [captured(), captured()];
  const rows = [
    { name: 'a\u001B', n: 1, about: '' },
    { name: 'b', n: 2, about: '' },
  ];
  const output = new Output(true, out.sink, notes.sink);
  await output.writeRowsAsJsonOrTable(asStream(rows), columns, 'nothing');
  output.writeNote('by the way');
  expect(
    out.written
      .join('')
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual(rows);
  expect(out.written.join('')).not.toContain('\u001B');
  expect(notes.written).toEqual(['by the way\n']);
});

test('an empty list is noted next to the results', async () => {
  const [out, notes] = [captured(), captured()];
  await new Output(false, out.sink, notes.sink).writeRowsAsJsonOrTable(asStream<Row>([]), columns, 'nothing');
  expect([out.written, notes.written]).toEqual([[], ['nothing\n']]);
});

async function* asStream<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

test('a terminal without columns is treated as one of 80, and a file as a wide one', () => {
  const write = () => true;
  expect(outputLineWidth({ write, isTTY: true, columns: 100 })).toBe(100);
  expect(outputLineWidth({ write, isTTY: true, columns: 0 })).toBe(80);
  expect(outputLineWidth({ write, isTTY: true })).toBe(80);
  expect(outputLineWidth({ write })).toBe(160);
});

test.each([20, 40])(
  'on a terminal of %s columns a list that does not fit is shown row by row, without empty cells',
  (width) => {
    const columns: Column<{ id: string; name: string }>[] = [
      { title: 'id', cell: ({ id }) => id },
      { title: 'name', cell: ({ name }) => name, flexible: true },
      { title: 'created', cell: () => '2026-01-01T00:00:00.000Z' },
    ];
    const rows = [
      { id: 'exp_1', name: 'the first one' },
      { id: 'exp_2', name: '' },
    ];
    expect(listLines(columns, rows, width)).toEqual([
      'id: exp_1',
      'name: the first one',
      'created: 2026-01-01T00:00:00.000Z',
      '',
      'id: exp_2',
      'created: 2026-01-01T00:00:00.000Z',
    ]);
    expect(listLines(columns.slice(0, 1), rows, width)).toEqual(['id', 'exp_1', 'exp_2']);
    expect(listLines(columns, rows, 80)).toEqual(tableLines(columns, rows, 80));
  },
);

test('a list that goes to a file or a program is not cut, however long its cells are', async () => {
  const written: string[] = [];
  const sink = { write: (text: string) => written.push(text) };
  const long = 'x'.repeat(400);
  await new Output(false, sink, sink).writeRowsAsJsonOrTable(
    [long],
    [{ title: 'a', cell: (row) => row, flexible: true }],
    '',
  );
  expect(written.join('')).toContain(long);
});
