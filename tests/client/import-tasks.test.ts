import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { makeCatalog } from '#core/catalog/catalog.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { fakeApi, json } from './fake-api.ts';
import { runVerb } from './run-verb.ts';

/** Published tasks, of which the second cannot be parsed, in the format of each protocol that has one. */
const files = [
  ['live-mcp-bench', JSON.stringify([{ task_id: 't1', Question: 'Add 1 and 2.' }, { task_id: 't2' }])],
  [
    'mcp-verse',
    'question_id,question,MCP,tool,complexity,answer,eval_method\nt1,Add 1 and 2.,calc,add,L1,3,llm_as_a_judge\nt2,Add 3.,calc,add,L9,3,llm_as_a_judge\n',
  ],
  [
    'mcp-bench',
    JSON.stringify({
      server_tasks: [
        { server_name: 'calc', tasks: [{ task_id: 't1', task_description: 'Add 1 and 2.' }, { task_id: 't2' }] },
      ],
    }),
  ],
] as const;

const tools: Tool[] = [
  { name: 'calc/add', server: 'calc', domain: 'computing', category: 'compute', inputSchema: { type: 'object' } },
];
let folder: string;
let catalog: { readonly id: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sextant-import-'));
  catalog = await makeCatalog(tools);
});

const imported = z.object({ type: z.literal('unit'), unit: z.looseObject({ request: z.string() }) });

test.each(files)('"import %s" names what cannot be parsed, and takes what "export" writes', async (key, text) => {
  const file = join(folder, `${key}.txt`);
  await writeFile(file, text);
  const record = { id: catalog.id, servers: [], tools: 1, categories: {}, createdAt: '2026-01-01T00:00:00.000Z' };
  const benchmark = {
    id: 'bm_1',
    format: 2,
    protocol: key,
    name: 'mine',
    split: 'all',
    catalog: catalog.id,
    explorations: [],
    seed: 1,
    privateShare: 0,
    offline: false,
    tools: 1,
    units: 1,
    publicUnits: 1,
    privateUnits: 0,
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  await using api = await fakeApi(json({ catalog: record, tools }), json(benchmark));
  const verb = ['import', key, file, '--catalog', catalog.id, '--name', 'mine', '--json'];
  const said = z
    .looseObject({ unparsed: z.array(z.string()) })
    .parse(JSON.parse((await runVerb(api, ...verb)).lines[0] ?? ''));
  expect(said.unparsed).toHaveLength(1);
  const lines = (api.requests[1]?.body ?? '')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(lines[0]).toMatchObject({ type: 'benchmark', protocol: key, name: 'mine', units: 1 });
  const { unit } = imported.parse(lines.at(-1));
  expect(unit.request).toBe('Add 1 and 2.');

  // What is exported makes the same unit again.
  const out = join(folder, `${key}-again.txt`);
  await using exporting = await fakeApi(json({ items: [unit], nextCursor: null }));
  await runVerb(exporting, 'export', key, 'bm_1', '--out', out);
  expect(await readFile(out, 'utf8')).toContain('Add 1 and 2.');
  await using again = await fakeApi(json({ catalog: record, tools }), json(benchmark));
  await runVerb(again, 'import', key, out, '--catalog', catalog.id);
  expect(imported.parse(JSON.parse((again.requests[1]?.body ?? '').trim().split('\n').at(-1) ?? '')).unit).toEqual(
    unit,
  );
});
