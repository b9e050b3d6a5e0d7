import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { TaskUnit } from '#core/units/task-unit.ts';
import { parseCsvRecords } from '#core/benchmarks/formats/csv.ts';
import { mcpVerseFormat, readVerseTasks } from '#core/benchmarks/formats/mcp-verse.ts';
import { parseAndCheckBenchmark } from '#core/leaderboards/verification/read-benchmark.ts';

const toolOn = (server: string, name: string) => ({
  name: `${server}/${name}`,
  server,
  domain: 'office',
  category: 'read' as const,
  inputSchema: { type: 'object' },
});
const tools = [
  toolOn('calc', 'power_of'),
  toolOn('disk', 'write_file'),
  toolOn('disk', 'read_file'),
  toolOn('disk', 'file_size'),
  toolOn('notes', 'file_size'),
  toolOn('weather-desk', 'forecast'),
];
const fixture = readFileSync('tests/fixtures/mcp-verse.csv', 'utf8');

async function madeOf(file: string) {
  const { id: catalog } = await makeCatalog(tools);
  const made = await mcpVerseFormat.read(file, {
    name: 'mine',
    protocol: 'mcp-verse',
    collection: 'MCPVerse',
    catalog,
    tools,
  });
  if (!made.ok) throw new Error(made.problem);
  const { lines, leftOut } = made.value;
  const units = lines.flatMap((line): TaskUnit[] =>
    line.type === 'unit' && line.unit.kind === 'task' ? [line.unit] : [],
  );
  return { lines, units, left: Object.fromEntries(leftOut.map(({ key, names }) => [key, names])) };
}

describe("a file of MCPVerse's tasks", () => {
  it('becomes a benchmark with levels, right answers, checks, servers and chains', async () => {
    const { lines, units } = await madeOf(fixture);
    expect(lines[0]).toMatchObject({ type: 'benchmark', protocol: 'mcp-verse', units: 4 });
    const byTask = new Map(units.map((unit) => [unit.provenance.task, unit]));
    expect(byTask.get('V1')).toMatchObject({ level: 1, truth: '128', chain: ['calc/power_of'], servers: ['calc'] });
    expect(byTask.get('V2')).toMatchObject({
      request: 'Save the text "blue heron" in notes/a.txt, and tell me\nhow many bytes it has.',
      level: 2,
      checks: [{ when: 'after', tool: 'disk/read_file', errorFails: true }],
      chain: ['disk/write_file', 'disk/file_size', 'disk/file_size'],
    });
    expect(byTask.get('V3')).toMatchObject({ timeSensitive: true, servers: ['weather-desk', 'calc'] });
    expect(byTask.get('V3')?.truth).toBeUndefined();
  });

  it('names what it leaves out, and why', async () => {
    const { left } = await madeOf(fixture);
    expect(left['unparsed']?.map((each) => each.split(' ').slice(0, 4).join(' '))).toEqual([
      'line 7 V5: question',
      'line 8 V6: complexity',
      'line 9 V7: eval_method',
      'line 10 V8: checks',
    ]);
    expect(left).toMatchObject({
      repeated: [],
      withoutTruth: ['V4'],
      serversMissing: ['V9: Elsewhere'],
      unknownTools: [],
      ambiguousTools: [],
    });
  });

  it('takes the answer to a script of the original harness for no truth', async () => {
    const { units } = await madeOf(fixture);
    expect(units.find(({ provenance }) => provenance.task === 'V4')?.truth).toBeUndefined();
  });

  it('is written again so that reading it gives the same units', async () => {
    const { units, lines } = await madeOf(fixture);
    const again = await madeOf(mcpVerseFormat.write?.(units) ?? '');
    // Nothing says in a file that nobody has the answer, so only an empty one is left.
    expect(again.units).toEqual(units);
    expect(again.lines).toEqual(lines);
    expect(again.left['unparsed']).toEqual([]);
  });

  it('is read back by the offline checks of a benchmark', async () => {
    const { lines } = await madeOf(fixture);
    const read = await parseAndCheckBenchmark(lines.map((line) => JSON.stringify(line)));
    expect(read).toMatchObject({ ok: true });
  });

  it.each([
    ['', 'lacks question_id'],
    ['question_id,question\nV1,x', 'lacks MCP'],
    [`${fixture}"never closed`, 'never closed'],
  ])('is refused as a whole if it is no such file: %j', (file, problem) => {
    const read = readVerseTasks(file);
    expect(read.ok ? '' : read.problem).toContain(problem);
  });

  it('has each line as a task or as unparsed, however it is broken', () => {
    const header = fixture.split('\n')[0] ?? '';
    fc.assert(
      fc.property(fc.array(fc.array(fc.string(), { minLength: 1, maxLength: 10 }), { maxLength: 8 }), (rows) => {
        const quoted = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
        const read = readVerseTasks([header, ...quoted].join('\n'));
        const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== '')).length;
        expect(read.ok && read.value.tasks.length + read.value.unparsed.length).toBe(filled);
      }),
    );
  });

  it('never makes a task of a cut file that the whole file does not have', () => {
    const whole = readVerseTasks(fixture);
    const ids = new Set(whole.ok ? whole.value.tasks.map(({ id }) => id) : []);
    fc.assert(
      fc.property(fc.nat(fixture.length), (length) => {
        const cut = readVerseTasks(fixture.slice(0, length));
        expect(!cut.ok || cut.value.tasks.every(({ id }) => ids.has(id))).toBe(true);
      }),
    );
  });
});

describe('a CSV file', () => {
  it('gives back every cell that was quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 2 }), (cells) => {
        fc.pre(cells.some((cell) => cell.trim() !== ''));
        const read = parseCsvRecords(`a,b\r\n${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`, [
          'a',
          'b',
        ]);
        expect(read.ok && read.value.map((row) => [...row.cells.values()])).toEqual([cells]);
      }),
    );
  });

  it('is refused with the line on which a cell begins that is never closed, however much follows', () => {
    const cells = '"two\nlines",x\n';
    const rest = 'some "words", and\n'.repeat(500_000);
    // Line 1, then three rows of two lines each.
    expect(parseCsvRecords(`a,b\n${cells.repeat(3)}y,"never ${rest.replaceAll('"', '""')}`, ['a'])).toEqual({
      ok: false,
      problem: 'the quoted cell that begins on line 8 is never closed',
    });
    expect(parseCsvRecords('a,b\n\n"one"two"three\n', ['a'])).toMatchObject({
      problem: 'the quoted cell that begins on line 3 has a quote behind its end',
    });
  });

  it('has rows with the lines on which they begin, whatever ends lines', () => {
    const read = parseCsvRecords('a,b\r\n\r\n"1\r\n2\n3\r4","x"\n5,\r6', ['a', 'b']);
    expect(read.ok && read.value.map(({ line, cells }) => [line, ...cells.values()])).toEqual([
      [3, '1\r\n2\n3\r4', 'x'],
      [7, '5', ''],
      [8, '6', ''],
    ]);
  });
});
