import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type BenchmarkRecord, benchmarkRecord, benchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { Result } from '#core/result.ts';
import { attachment } from '../attachment.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { endpoint, idParams, json, jsonBody, jsonLines, jsonLinesBody, made } from '../endpoint.ts';
import { newId } from '../ids.ts';
import { requires } from '../middleware/authenticate.ts';
import { owned, ownedName } from '../owned.ts';
import { page, pageOf, pageQuery } from '../pages.ts';
import { bodyProblems, openProblems, problems, refusal, unwrap } from '../problem.ts';
import type { BenchmarkService } from '../services.ts';
import { textStream } from '../text-stream.ts';
import { requireForPrivate } from '../sight.ts';
import { uploadLines } from '../upload.ts';

/** Lists a new benchmark under its id. A failed one is discarded, and an existing one takes precedence. */
async function publish(
  c: Context<ApiEnv>,
  object: string,
  benchmark: BenchmarkService,
  made: Result<BenchmarkRecord>,
): Promise<BenchmarkRecord> {
  if (!made.ok) await benchmark.discard();
  const record = unwrap(made);
  const { workspace: id } = c.var.caller;
  const workspace = c.var.services.object('workspace', id);
  await workspace.addResource('benchmark', { id: record.id, object, json: JSON.stringify(record) });
  const held = await workspace.findResource('benchmark', record.id);
  // Two simultaneous freezes of the same agree on one object before the directory refers to it.
  await c.var.services.directory.benchmarkAdded(record.id, id, held?.object ?? object);
  if (held === null || held.object === object) return record;
  await benchmark.discard();
  return unwrap(await c.var.services.object('benchmark', held.object).get());
}

/** Returns the benchmark with this id in any workspace, for its public units only. */
export async function anyBenchmark({ var: { services } }: Context<ApiEnv>, id: string): Promise<BenchmarkService> {
  const found = await services.directory.findBenchmark(id);
  if (found === null) throw refusal('not-found', `there is no benchmark ${id}`);
  return services.object('benchmark', found.object);
}

const linesPerRead = 100;

/** Returns a benchmark's file; refuses before the first line if there is no such benchmark. */
async function benchmarkFile(
  benchmark: BenchmarkService,
  split: 'all' | 'public',
): Promise<ReadableStream<Uint8Array>> {
  const read = async (from: number) => unwrap(await benchmark.exportLines(split, from, linesPerRead));
  let from = 1;
  let lines = await read(from);
  return textStream(async () => {
    if (lines.length === 0) return null;
    const text = `${lines.join('\n')}\n`;
    from += lines.length;
    lines = await read(from);
    return text;
  });
}

const freezeBenchmark = endpoint(
  {
    method: 'post',
    path: '/v1/benchmarks',
    tags: ['benchmarks'],
    summary: 'Freeze runs into a benchmark',
    description:
      'Takes the accepted units of runs over one catalog that are over or paused. The id is a hash of the content: freezing the same again gives the same benchmark.',
    middleware: [requires('run')],
    request: {
      body: jsonBody(
        z
          .strictObject({
            name: z.string().max(200).default(''),
            explorations: z.array(z.string().min(1).max(100)).min(1).max(100),
            seed: z.int().min(0).max(2_147_483_647).default(1),
            privateShare: z.number().min(0).lt(1).default(0.2),
            sample: z
              .int()
              .min(1)
              .max(10_000)
              .optional()
              .openapi({ description: 'How many units to draw by the seed; all without it' }),
          })
          .openapi('FreezeRequest'),
      ),
    },
    responses: {
      201: made('The benchmark', benchmarkRecord.openapi('Benchmark')),
      ...problems(
        ...bodyProblems,
        'not-found',
        'wrong-state',
        'catalog-mismatch',
        'nothing-to-freeze',
        'benchmark-too-large',
      ),
    },
  },
  async (c) => {
    const body = c.req.valid('json');
    const explorations = [...new Set(body.explorations)];
    await Promise.all(explorations.map((id) => ownedName(c, 'exploration', id)));
    const now = new Date();
    const object = newId('bmo', now);
    const benchmark = c.var.services.object('benchmark', object);
    const made = await benchmark.freeze({ ...body, explorations, at: now.toISOString() });
    const record = await publish(c, object, benchmark, made);
    return c.json(record, 201, { Location: `/v1/benchmarks/${record.id}` });
  },
);

const importBenchmark = endpoint(
  {
    method: 'post',
    path: '/v1/benchmarks/import',
    tags: ['benchmarks'],
    summary: 'Import a benchmark',
    description:
      'The body is a file that an export gave: JSON Lines up to 64 MiB, a line up to 1 MiB. The same content gives the same id.',
    middleware: [requires('run')],
    request: { body: jsonLinesBody },
    responses: {
      201: made('The benchmark', benchmarkRecord.openapi('Benchmark')),
      ...problems('invalid-line', 'body-too-large', 'content-mismatch'),
    },
  },
  async (c) => {
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-line', 'the file is empty');
    const now = new Date();
    const object = newId('bmo', now);
    const benchmark = c.var.services.object('benchmark', object);
    const made = await readInto(benchmark, body, now).catch(async (error: unknown) => {
      // An interrupted upload leaves nothing behind. The stub that threw may stay broken.
      await c.var.services.object('benchmark', object).discard();
      throw error;
    });
    const record = await publish(c, object, benchmark, made);
    return c.json(record, 201, { Location: `/v1/benchmarks/${record.id}` });
  },
);

async function readInto(
  benchmark: BenchmarkService,
  body: ReadableStream<Uint8Array>,
  now: Date,
): Promise<Result<BenchmarkRecord>> {
  await benchmark.beginImport();
  const written = await uploadLines(body, (lines) => benchmark.importLines(lines));
  return written.ok ? benchmark.finishImport(now.toISOString()) : written;
}

const listBenchmarks = endpoint(
  {
    method: 'get',
    path: '/v1/benchmarks',
    tags: ['benchmarks'],
    summary: 'List the benchmarks',
    middleware: [requires('read')],
    request: { query: pageQuery },
    responses: {
      200: json('A page of benchmarks', pageOf(benchmarkRecord.openapi('Benchmark'))),
      ...problems(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services
      .object('workspace', c.var.caller.workspace)
      .listResources('benchmark', cursor, limit + 1);
    const benchmarks = read.map(({ json }) => benchmarkRecord.parse(JSON.parse(json)));
    return c.json(
      page(benchmarks, limit, (benchmark) => benchmark.id),
      200,
    );
  },
);

const getBenchmark = endpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}',
    tags: ['benchmarks'],
    summary: 'Read what a benchmark is made of',
    middleware: [requires('read')],
    request: { params: idParams },
    responses: {
      200: json('The benchmark', benchmarkRecord.openapi('Benchmark')),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const benchmark = await owned(c, 'benchmark', c.req.valid('param').id);
    return c.json(unwrap(await benchmark.get()), 200);
  },
);

const unitPage = pageOf(benchmarkUnit.openapi('BenchmarkUnit'));

const listPublicUnits = endpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}/public',
    tags: ['benchmarks'],
    summary: 'List the public units of a benchmark',
    description: 'Needs no key. The private units are not in it.',
    security: [],
    request: { params: idParams, query: pageQuery },
    responses: {
      200: json('A page of units', unitPage),
      ...openProblems('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const benchmark = await anyBenchmark(c, c.req.valid('param').id);
    const read = await benchmark.listUnits('public', cursor, limit + 1);
    return c.json(
      page(read, limit, (unit) => unit.id),
      200,
    );
  },
);

const listBenchmarkUnits = endpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}/units',
    tags: ['benchmarks'],
    summary: 'List the units of a benchmark of the workspace',
    description: 'The private ones need a key with the scope `admin`.',
    middleware: [requires('run')],
    request: {
      params: idParams,
      query: pageQuery.extend({ split: z.enum(['all', 'public', 'private']).default('all') }),
    },
    responses: {
      200: json('A page of units', unitPage),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor, split } = c.req.valid('query');
    requireForPrivate(c, split);
    const benchmark = await owned(c, 'benchmark', c.req.valid('param').id);
    return c.json(
      page(await benchmark.listUnits(split, cursor, limit + 1), limit, (unit) => unit.id),
      200,
    );
  },
);

const exportBenchmark = endpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}/export',
    tags: ['benchmarks'],
    summary: 'Export a benchmark as JSON Lines',
    description:
      'A header, the tools, the units; importing the whole file (`split=all`) gives the same id. The private units need a key with the scope `admin`.',
    middleware: [requires('run')],
    request: {
      params: idParams,
      query: z.object({ split: z.enum(['all', 'public']).default('all') }),
    },
    responses: {
      200: jsonLines('The file'),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { split } = c.req.valid('query');
    requireForPrivate(c, split);
    const benchmark = await owned(c, 'benchmark', id);
    return c.body(await benchmarkFile(benchmark, split), 200, attachment(id));
  },
);

const exportPublicBenchmark = endpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}/public/export',
    tags: ['benchmarks'],
    summary: 'Export the public part of a benchmark as JSON Lines',
    description:
      'Needs no key: whoever wants to compute the figures of a leaderboard anew needs the tools and the public units. The private units are not in it.',
    security: [],
    request: { params: idParams },
    responses: {
      200: jsonLines('The file'),
      ...openProblems('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const benchmark = await anyBenchmark(c, id);
    return c.body(await benchmarkFile(benchmark, 'public'), 200, attachment(`${id}-public`));
  },
);

export const benchmarkEndpoints: readonly Endpoint[] = [
  freezeBenchmark,
  importBenchmark,
  listBenchmarks,
  getBenchmark,
  listPublicUnits,
  listBenchmarkUnits,
  exportBenchmark,
  exportPublicBenchmark,
];
