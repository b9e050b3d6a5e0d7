import { describe, expect, it } from 'vitest';
import { makeCatalog } from '#core/catalog/catalog.ts';
import { taskFormat } from '#core/benchmarks/file-formats.ts';
import { maxKeyPoints } from '#core/units/task-unit.ts';
import { makeLiveMcpBenchmark } from '#core/benchmarks/formats/live-mcp-bench/format.ts';
import { publishedTasks } from '#core/benchmarks/formats/live-mcp-bench/tasks.ts';
import type { LeftOut } from '#core/benchmarks/formats/task-format.ts';
import { parseAndCheckBenchmark } from '#core/leaderboards/verification/read-benchmark.ts';

const toolOn = (server: string, name: string) => ({
  name: `${server}/${name}`,
  server,
  domain: 'office',
  category: 'read' as const,
  inputSchema: { type: 'object' },
});
const tools = [
  toolOn('disk', 'read_file'),
  toolOn('charts', 'draw'),
  toolOn('notes', 'search'),
  toolOn('web', 'search'),
];

const taskWith = (id: string, steps: number, names: readonly string[]) => ({
  task_id: id,
  Question: `Do ${id}.`,
  answers: 'file /root/pdf/report.pdf',
  category: 'Office',
  'Annotator Metadata': {
    Steps: Array.from({ length: steps }, (_, index) => `${index + 1}. Step ${index + 1}.`).join('\n'),
    Tools: names.map((name, index) => `${index + 1}. ${name}`).join('\n'),
  },
});

async function madeOf(...tasks: ReturnType<typeof taskWith>[]) {
  const { id: catalog } = await makeCatalog(tools);
  return makeLiveMcpBenchmark(publishedTasks.parse(tasks), {
    name: 'mine',
    protocol: 'live-mcp-bench',
    collection: 'LiveMCPBench',
    catalog,
    tools,
  });
}

const namesOf = (leftOut: readonly LeftOut[]) => Object.fromEntries(leftOut.map(({ key, names }) => [key, names]));

describe('a benchmark of published tasks', () => {
  it('has their requests, steps and known tools, and names the tools that it leaves out', async () => {
    const { lines, leftOut } = await madeOf(taskWith('a', 2, ['read_file', 'draw', 'search', 'fly']));
    expect(lines[0]).toMatchObject({ type: 'benchmark', format: taskFormat, protocol: 'live-mcp-bench', units: 1 });
    expect(lines.at(-1)).toMatchObject({
      type: 'unit',
      unit: {
        kind: 'task',
        request: 'Do a.',
        keyPoints: ['Step 1.', 'Step 2.'],
        chain: ['disk/read_file', 'charts/draw'],
        provenance: { task: 'a', category: 'Office' },
      },
    });
    expect(namesOf(leftOut)).toEqual({ repeated: [], unknownTools: ['fly'], ambiguousTools: ['search'] });
  });

  it('takes what is expected on the disk of the original harness for no truth', async () => {
    const { lines } = await madeOf(taskWith('a', 1, []));
    expect(JSON.stringify(lines)).not.toContain('report.pdf');
  });

  it('is read back by the offline checks, with the same units', async () => {
    const { lines } = await madeOf(taskWith('a', 2, ['draw']), taskWith('b', 0, []));
    const read = await parseAndCheckBenchmark(lines.map((line) => JSON.stringify(line)));
    expect(read).toMatchObject({ ok: true, value: { units: [{ kind: 'task' }, { kind: 'task' }] } });
  });

  it('keeps a task once that is in the file twice', async () => {
    const { lines, leftOut } = await madeOf(taskWith('a', 1, []), { ...taskWith('a', 1, []), task_id: 'copy' });
    expect(lines.filter(({ type }) => type === 'unit')).toHaveLength(1);
    expect(namesOf(leftOut)['repeated']).toEqual(['copy']);
  });

  it('joins steps beyond the number of key points with the last one', async () => {
    const { lines } = await madeOf(taskWith('a', maxKeyPoints + 2, []));
    const unit = lines.flatMap((line) => (line.type === 'unit' && line.unit.kind === 'task' ? [line.unit] : []))[0];
    expect(unit?.keyPoints).toHaveLength(maxKeyPoints);
    expect(unit?.keyPoints.at(-1)).toBe('Step 9. Step 10. Step 11.');
  });

  it('is empty without tasks', async () => {
    expect((await madeOf()).lines).toEqual([]);
  });
});
