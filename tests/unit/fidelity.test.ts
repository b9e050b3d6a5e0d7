import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const verdicts = ['faithful', 'better', 'other', 'missing'] as const;
const cellsOf = (line: string): string[] => line.slice(2, -2).split(' | ');
const sections = readFileSync(join(root, 'docs/fidelity.md'), 'utf8').split('\n## ');
const [opening = [], ...papers] = sections.map((section) => section.split('\n'));

/** The rows of a paper's table: number, stage, mechanism, place, verdict, reason, file. */
const rowsOf = (lines: readonly string[]): string[][] =>
  lines.filter((line) => /^\| [A-Z]\d+ \|/.test(line)).map(cellsOf);

describe('docs/fidelity.md', () => {
  it('counts the rows and the verdicts of each paper, and of all, as they are', () => {
    const counted = (rows: readonly string[][]): string[] =>
      [rows.length, ...verdicts.map((verdict) => rows.filter((row) => row[4] === verdict).length)].map(String);
    const expected = [
      ...papers.map((lines) => [lines[0] ?? '', ...counted(rowsOf(lines))]),
      ['all', ...counted(papers.flatMap(rowsOf))],
    ];
    const stated = opening.filter((line) => /^\| [\w-]+ \| \d/.test(line)).map(cellsOf);
    expect(stated).toEqual(expected);
  });

  it('gives each row a verdict, a reason unless it is faithful, and a file that exists', () => {
    const wrong = papers.flatMap(rowsOf).filter(([, , mechanism, place, verdict, reason, file = '']) => {
      const isKnown = verdicts.some((each) => each === verdict) && mechanism !== '' && place !== '';
      return !isKnown || (verdict !== 'faithful' && reason === '') || !existsSync(join(root, file.replaceAll('`', '')));
    });
    expect(wrong).toEqual([]);
  });

  it('numbers the rows of each paper from 1', () => {
    for (const lines of papers)
      expect(rowsOf(lines).map(([number = '']) => Number(number.slice(1)))).toEqual(
        rowsOf(lines).map((_, at) => at + 1),
      );
  });
});
