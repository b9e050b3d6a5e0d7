import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { taskFormat } from '#core/benchmarks/file-formats.ts';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { mcpBenchFormat } from '#core/benchmarks/formats/mcp-bench.ts';
import type { MadeBenchmark } from '#core/benchmarks/formats/task-format.ts';
import { parseAndCheckBenchmark } from '#core/leaderboards/verification/read-benchmark.ts';

const toolOn = (server: string, name: string): Tool => ({
  name: `${server}/${name}`,
  server,
  domain: 'nature',
  category: 'read',
  inputSchema: { type: 'object' },
});
const tools = [toolOn('star-atlas', 'find_star'), toolOn('tide-tables', 'next_tide')];

const starTask = {
  task_id: 'star_atlas_000',
  task_description: 'Find the star "Vega" with find_star and report its magnitude with 2 decimals.',
  fuzzy_description: 'I keep wondering how bright that star is. Two decimals would do.',
  dependency_analysis: 'find_star gives the id that the magnitude is looked up by.',
  distraction_servers: ['Tide Tables'],
};
const tideTask = {
  task_id: 'star_tide_000',
  task_description: 'Report when Vega rises and when the next tide comes in at Husum.',
  fuzzy_description: '',
  dependency_analysis: '',
};
const group = (name: string, servers: readonly string[], ...tasks: unknown[]) => ({
  server_name: name,
  tasks,
  servers,
  combination_name: name,
});
const fileOf = (...groups: unknown[]): string => JSON.stringify({ server_tasks: groups });
const published = fileOf(
  group('Star Atlas', ['Star Atlas'], starTask),
  group('Star Atlas+Tide Tables', ['Star Atlas', 'Tide Tables'], tideTask),
);

async function read(text: string, over = tools): Promise<MadeBenchmark> {
  const { id: catalog } = await makeCatalog(over);
  const made = await mcpBenchFormat.read(text, {
    name: 'mine',
    protocol: 'mcp-bench',
    collection: 'MCP-Bench',
    catalog,
    tools: over,
  });
  if (!made.ok) throw new Error(made.problem);
  return made.value;
}
const unitsOf = ({ lines }: MadeBenchmark) =>
  lines.flatMap((line) => (line.type === 'unit' && line.unit.kind === 'task' ? [line.unit] : []));
const namesOf = ({ leftOut }: MadeBenchmark) => Object.fromEntries(leftOut.map(({ key, names }) => [key, names]));

describe('the import of tasks of MCP-Bench', () => {
  it('makes units with both wordings, the dependencies and the servers by the names of the catalog', async () => {
    const made = await read(published);
    expect(made.lines[0]).toMatchObject({ format: taskFormat, protocol: 'mcp-bench', units: 2 });
    const [star, tide] = unitsOf(made);
    expect(star).toMatchObject({
      request: starTask.task_description,
      fuzzy: starTask.fuzzy_description,
      dependencies: starTask.dependency_analysis,
      servers: ['star-atlas'],
      chain: [],
      provenance: { collection: 'MCP-Bench', task: 'star_atlas_000', category: 'Star Atlas' },
    });
    expect(tide).toMatchObject({ servers: ['star-atlas', 'tide-tables'] });
    expect(tide).not.toHaveProperty('fuzzy');
    expect(tide).not.toHaveProperty('dependencies');
    expect(namesOf(made)).toEqual({
      unparsed: [],
      serversMissing: [],
      repeated: [],
      valuesLost: ['star_atlas_000: Vega'],
    });
  });

  it('is read back by the offline checks', async () => {
    const { lines } = await read(published);
    expect(await parseAndCheckBenchmark(lines.map((line) => JSON.stringify(line)))).toMatchObject({ ok: true });
  });

  it('names what cannot be parsed, what is there twice, and tasks whose servers the catalog lacks', async () => {
    const made = await read(
      fileOf(
        group('Star Atlas', ['Star Atlas'], starTask, { ...starTask, task_id: 'copy' }, { task_id: 'x' }, 'no task'),
        { server_name: 'Star Atlas' },
        group('Nowhere', ['Nowhere'], { ...starTask, task_id: 'lost' }),
      ),
    );
    expect(unitsOf(made)).toHaveLength(1);
    const { unparsed, valuesLost: _lost, ...others } = namesOf(made);
    expect(others).toEqual({ serversMissing: ['lost: Nowhere'], repeated: ['copy'] });
    expect(unparsed?.map((name) => name.split(':')[0])).toEqual([
      'server_tasks.0.tasks.2',
      'server_tasks.0.tasks.3',
      'server_tasks.1',
    ]);
  });

  it('refuses a file that is no JSON or has no list of groups', async () => {
    for (const text of ['', '{', '[]', '{"tasks": []}']) {
      const made = await mcpBenchFormat.read(text, {
        name: 'mine',
        protocol: 'mcp-bench',
        collection: 'MCP-Bench',
        catalog: 'cat',
        tools,
      });
      expect(made.ok).toBe(false);
    }
  });

  it('takes no task from a broken entry and loses none of the others, for any breakage', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 4 }),
        fc.array(fc.jsonValue(), { maxLength: 4 }),
        async (one, other) => {
          const broken = group('Star Atlas', ['Star Atlas'], ...one, starTask);
          const made = await read(fileOf(...other, broken));
          expect(unitsOf(made).map(({ provenance }) => provenance.task)).toEqual(['star_atlas_000']);
          expect(namesOf(made)['unparsed']).toHaveLength(one.length + other.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('never throws on a text, whatever is cut off or changed in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(published.length),
        fc.nat(published.length),
        fc.string({ maxLength: 5 }),
        async (from, to, put) => {
          const text = published.slice(0, Math.min(from, to)) + put + published.slice(Math.max(from, to));
          const made = await mcpBenchFormat.read(text, {
            name: 'mine',
            protocol: 'mcp-bench',
            collection: 'MCP-Bench',
            catalog: 'cat',
            tools,
          });
          if (made.ok) expect(unitsOf(made.value).length).toBeLessThanOrEqual(2);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the export of tasks of MCP-Bench', () => {
  it('gives a file from which the same units are made', async () => {
    const units = unitsOf(await read(published));
    const file = mcpBenchFormat.write?.(units) ?? '';
    expect(unitsOf(await read(file))).toEqual(units);
    expect(z.looseObject({ total_tasks: z.int() }).parse(JSON.parse(file)).total_tasks).toBe(2);
  });
});
