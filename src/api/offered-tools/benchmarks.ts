import { z } from '@hono/zod-openapi';
import { benchmarkRecord, type BenchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { freezeDefaults } from '#core/benchmarks/freeze-defaults.ts';
import { protocolKey, defaultProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { pageSchema } from '../pages.ts';
import { cursorInput, limitInput, moreText } from './inputs.ts';
import { makeTool, readsOnly } from './make-tool.ts';

const benchmarkBrief = z.object({
  id: z.string(),
  name: z.string(),
  protocol: protocolKey,
  catalog: z.string(),
  tools: z.int(),
  units: z.int(),
  publicUnits: z.int().describe('The units that start_evaluation works on'),
  privateUnits: z.int(),
  offline: z.boolean().describe('Whether rules replaced the models that wrote its units'),
  unprovenLeftOut: z
    .int()
    .optional()
    .describe('Accepted units that it leaves out, because a tool of theirs never worked'),
  createdAt: z.string(),
});

const briefBenchmark = (record: BenchmarkRecord): z.infer<typeof benchmarkBrief> => ({
  ...record,
  protocol: record.protocol ?? defaultProtocol,
});

const listBenchmarks = makeTool({
  name: 'list_benchmarks',
  title: 'List benchmarks',
  description: 'Lists the benchmarks of the workspace. Their ids are what start_evaluation takes.',
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: pageSchema(benchmarkBrief),
  hints: readsOnly,
  async run(query, { api }) {
    const { items, nextCursor } = await api.ask('/v1/benchmarks', pageSchema(benchmarkRecord), { query });
    const lines = items.map(({ id, name, units }) => `${id} ${JSON.stringify(name)}: ${units} units`);
    const text =
      items.length === 0 ? 'There is no benchmark. freeze_benchmark makes one of explorations.' : lines.join('\n');
    return { text: `${text}${moreText(nextCursor)}`, data: { items: items.map(briefBenchmark), nextCursor } };
  },
});

const freezeBenchmark = makeTool({
  name: 'freeze_benchmark',
  title: 'Freeze a benchmark',
  description:
    'Makes a benchmark of the accepted units of explorations over one catalog that are over or paused. The same units give the same benchmark. Agents that know nothing then work on a sample of its public units, which measures its floor; they call the real servers.',
  input: z.strictObject({
    explorations: z.array(z.string().min(1).max(100)).min(1).max(100).describe('Ids of explorations, `exp_...`'),
    name: z.string().max(200).default('').describe('A name for people'),
    privateShare: z
      .number()
      .min(0)
      .lt(1)
      .default(freezeDefaults.privateShare)
      .describe('Share of units that stay private, for leaderboards'),
    sample: z.int().min(1).max(10_000).optional().describe('How many units to draw; all without it'),
    floor: z.boolean().default(true).describe('Whether the floor is measured'),
  }),
  output: z.object({ benchmark: benchmarkBrief }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  async run(body, { api }) {
    const benchmark = await api.ask('/v1/benchmarks', benchmarkRecord, { method: 'POST', body });
    const { id, publicUnits, privateUnits } = benchmark;
    const text = `The benchmark ${id} has ${publicUnits} public and ${privateUnits} private units. Next: start_evaluation {"benchmark": "${id}", ...}.`;
    return { text, data: { benchmark: briefBenchmark(benchmark) } };
  },
});

export const benchmarkTools = [listBenchmarks, freezeBenchmark];
