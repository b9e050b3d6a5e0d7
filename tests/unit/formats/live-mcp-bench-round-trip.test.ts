import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benchmarkLine } from '#core/benchmarks/benchmark.ts';
import type { TaskUnit } from '#core/units/task-unit.ts';
import { makeCatalog } from '#core/catalog/catalog.ts';
import { liveMcpBenchFormat } from '#core/benchmarks/formats/live-mcp-bench/format.ts';
import { publishedTasksText } from '#core/benchmarks/formats/live-mcp-bench/format.ts';

const tools = ['disk/read_file', 'charts/draw', 'charts/erase', 'notes/search', 'web/search'].map((name) => ({
  name,
  server: name.split('/')[0] ?? '',
  domain: 'office',
  category: 'read' as const,
  inputSchema: { type: 'object' },
}));

/** The units that a file makes over these tools. */
async function unitsOf(text: string): Promise<TaskUnit[]> {
  const { id: catalog } = await makeCatalog(tools);
  const made = await liveMcpBenchFormat.read(text, {
    name: 'mine',
    protocol: 'live-mcp-bench',
    collection: 'LiveMCPBench',
    catalog,
    tools,
  });
  if (!made.ok) throw new Error(made.problem);
  return made.value.lines.flatMap((line) => (line.type === 'unit' && line.unit.kind === 'task' ? [line.unit] : []));
}

/** A line of text as people write it. */
const words = fc.stringMatching(/^[A-Za-z"'%,;:äß漢][A-Za-z0-9 "'.,;:%äß漢-]{0,40}[a-z.]$/);
const record = fc.record({
  task_id: fc.uuid(),
  Question: words,
  answers: fc.constantFrom('', 'file /root/out.pdf'),
  category: fc.constantFrom('Office', 'Travel'),
  'Annotator Metadata': fc.record({
    Steps: fc.array(words, { maxLength: 6 }).map((steps) => steps.map((step, at) => `${at + 1}. ${step}`).join('\n')),
    Tools: fc
      .uniqueArray(fc.constantFrom('read_file', 'draw', 'erase'))
      .map((names) => names.map((name, at) => `${at + 1}. ${name}`).join('\n')),
  }),
});

describe('tasks of LiveMCPBench', () => {
  it('make the same benchmark again after they were exported and imported', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 5 }), async (records) => {
        const units = await unitsOf(JSON.stringify(records));
        const written = publishedTasksText(units);
        expect(await unitsOf(written)).toEqual(units);
        expect(publishedTasksText(await unitsOf(written))).toBe(written);
      }),
      { numRuns: 60 },
    );
  });

  it('are written in the form in which their authors publish them', async () => {
    const [unit] = await unitsOf(
      JSON.stringify([
        {
          task_id: 't',
          Question: 'Draw it.',
          answers: '',
          category: 'Office',
          'Annotator Metadata': { Steps: '1. Read\nthe file.\n2. Draw it.', Tools: '1. read_file\n2. draw' },
        },
      ]),
    );
    expect(JSON.parse(publishedTasksText(unit === undefined ? [] : [{ ...unit, truth: '42' }]))).toEqual([
      {
        task_id: 't',
        Question: 'Draw it.',
        answers: '42',
        category: 'Office',
        file_name: '',
        'Annotator Metadata': {
          Steps: '1. Read the file.\n2. Draw it.',
          'Number of steps': '2',
          Tools: '1. read_file\n2. draw',
          'Number of tools': '2',
        },
      },
    ]);
  });

  it('name the server of a tool that two servers have', async () => {
    const steps = { Steps: '1. Search both.', Tools: '1. notes/search\n2. web/search' };
    const units = await unitsOf(JSON.stringify([{ task_id: 't', Question: 'Search.', 'Annotator Metadata': steps }]));
    expect(units[0]?.chain).toEqual(['notes/search', 'web/search']);
    expect(await unitsOf(publishedTasksText(units))).toEqual(units);
  });

  it('are taken one by one: a broken entry is named and takes no other with it', async () => {
    const good = { task_id: 't1', Question: 'Buy an apple.' };
    const text = JSON.stringify([{ ...good, Question: '' }, good, 7]);
    const made = await liveMcpBenchFormat.read(text, {
      name: 'mine',
      protocol: 'live-mcp-bench',
      collection: 'LiveMCPBench',
      catalog: 'cat',
      tools: [],
    });
    if (!made.ok) return expect.fail(made.problem);
    expect(made.value.lines).toHaveLength(2);
    const { names = [] } = made.value.leftOut.find(({ key }) => key === 'unparsed') ?? {};
    expect(names).toEqual([expect.stringMatching(/^0 \(t1\): Question /), expect.stringMatching(/^2: /)]);
  });

  it('are refused with a reason, or make valid lines, from any broken file', async () => {
    const { id: catalog } = await makeCatalog(tools);
    const whole = fc.array(record, { maxLength: 3 }).map((records) => JSON.stringify(records));
    const broken = fc.oneof(
      fc.string(),
      fc.json(),
      fc.tuple(whole, fc.nat(), fc.string({ maxLength: 5 })).map(([text, at, inserted]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + inserted + text.slice(place + 1);
      }),
      fc.tuple(whole, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
    );
    await fc.assert(
      fc.asyncProperty(broken, async (text) => {
        const made = await liveMcpBenchFormat.read(text, {
          name: 'mine',
          protocol: 'live-mcp-bench',
          collection: 'LiveMCPBench',
          catalog,
          tools,
        });
        if (!made.ok) expect(made.problem).not.toBe('');
        else for (const line of made.value.lines) expect(benchmarkLine.safeParse(line).success).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
