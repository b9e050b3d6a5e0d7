import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { type BenchmarkRecord, benchmarkRecord, benchmarkUnit, unprovenUnits } from '#core/benchmarks/benchmark.ts';
import { freezeDefaults } from '#core/benchmarks/freeze-defaults.ts';
import { benchmarkFloor } from '#core/evaluation/floor.ts';
import type { Result } from '#core/values/result.ts';
import { attachmentHeaders } from '../attachment.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import {
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonBody,
  describeJsonLinesResponse,
  jsonLinesBody,
  describeCreatedResponse,
} from '../endpoint.ts';
import { startFloorMeasurementIfNone } from '../measure-floor.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject, requireOwnedObjectName } from '../owned.ts';
import { requireBenchmarkVisibleToCaller } from '../require-public.ts';
import { requireBenchmarkOfAnyWorkspace } from '../require-benchmark.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { bodyProblems, describePublicProblemResponses, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import type { BenchmarkService } from '../services.ts';
import { makeTextStream } from '../text-stream.ts';
import { requireSightOfSplit } from '../require-sight.ts';
import { writeUploadInPiecesUntilRefused } from '../forward-upload.ts';
import { takeUploadObject, type UploadObject } from '../upload-object.ts';
import { makeUploadPace, type GiveWay } from '../upload-pace.ts';

const takeObjectForBenchmark = (c: Context<ApiEnv>): Promise<UploadObject<'benchmark'>> =>
  takeUploadObject(c, 'benchmark', 'bmo', (object) => object.discard());

/** Lists a new benchmark under its id. A failed one is discarded, and an existing one takes precedence. */
async function registerOrDiscardBenchmark(
  c: Context<ApiEnv>,
  upload: UploadObject<'benchmark'>,
  made: Result<BenchmarkRecord>,
): Promise<BenchmarkRecord> {
  if (!made.ok) await upload.discard();
  const record = unwrap(made);
  const { name: object } = upload;
  const { workspace: id } = c.var.caller;
  const workspace = c.var.services.object('workspace', id);
  await workspace.addResource('benchmark', { id: record.id, object, json: JSON.stringify(record) });
  const held = await workspace.findResource('benchmark', record.id);
  // Two simultaneous freezes of the same agree on one object before the directory refers to it.
  await c.var.services.directory.addBenchmark(record.id, id, held?.object ?? object);
  if (held === null || held.object === object) return record;
  await upload.discard();
  return unwrap(await c.var.services.object('benchmark', held.object).get());
}

const linesPerRead = 100;

/** Returns a benchmark's file; refuses before the first line if there is no such benchmark. */
async function makeBenchmarkFileStream(
  benchmark: BenchmarkService,
  split: 'all' | 'public',
): Promise<ReadableStream<Uint8Array>> {
  const read = async (from: number) => unwrap(await benchmark.readExportPage(split, from, linesPerRead));
  let from = 1;
  let lines = await read(from);
  return makeTextStream(async () => {
    if (lines.length === 0) return null;
    const text = `${lines.join('\n')}\n`;
    from += lines.length;
    lines = await read(from);
    return text;
  });
}

const floorText =
  'Whether null agents work on a sample of the public units, in an evaluation of its own, to measure what agents that know nothing score';

const measuredFloor = documented(z.boolean().default(true), { description: floorText });

const freezeBenchmark = makeEndpoint(
  {
    method: 'post',
    path: '/v1/benchmarks',
    tags: ['benchmarks'],
    summary: 'Freeze runs into a benchmark',
    description:
      'Takes the accepted units of runs over one catalog that are over or paused, without those that are not proven: those with a step that the base agent did not carry out and whose tool has no success anywhere in the exploration. The id is a hash of the content: freezing the same again gives the same benchmark.',
    middleware: [admitCallerWithScope('run')],
    request: {
      body: describeJsonBody(
        documented(
          z.strictObject({
            name: z.string().max(200).default(''),
            explorations: z.array(z.string().min(1).max(100)).min(1).max(100),
            seed: z.int().min(0).max(2_147_483_647).default(freezeDefaults.seed),
            privateShare: z.number().min(0).lt(1).default(freezeDefaults.privateShare),
            sample: documented(z.int().min(1).max(10_000).optional(), {
              description: 'How many units to draw by the seed; all without it',
            }),
            unproven: documented(unprovenUnits.default('leave-out'), {
              description:
                'What happens to accepted units with a step that the base agent did not carry out and whose tool has no success anywhere in the exploration',
            }),
            floor: measuredFloor,
          }),
          'FreezeRequest',
        ),
      ),
    },
    responses: {
      201: describeCreatedResponse('The benchmark', documented(benchmarkRecord, 'Benchmark')),
      ...describeProblemResponses(
        ...bodyProblems,
        'not-found',
        'wrong-state',
        'catalog-mismatch',
        'mixed-units',
        'nothing-to-freeze',
        'benchmark-too-large',
      ),
    },
  },
  async (c) => {
    const { floor, ...body } = c.req.valid('json');
    const explorations = [...new Set(body.explorations)];
    await Promise.all(explorations.map((id) => requireOwnedObjectName(c, 'exploration', id)));
    const upload = await takeObjectForBenchmark(c);
    const made = await upload.object.freeze({ ...body, explorations, at: new Date().toISOString() });
    const record = await registerOrDiscardBenchmark(c, upload, made);
    if (floor) await startFloorMeasurementIfNone(c, record.id);
    return c.json(record, 201, { Location: `/v1/benchmarks/${record.id}` });
  },
);

const importBenchmark = makeEndpoint(
  {
    method: 'post',
    path: '/v1/benchmarks/import',
    tags: ['benchmarks'],
    summary: 'Import a benchmark',
    description:
      'The body is a file that an export gave: JSON Lines up to 64 MiB, a line up to 1 MiB. The same content gives the same id.',
    middleware: [admitCallerWithScope('run')],
    request: {
      body: jsonLinesBody,
      query: z.object({ floor: documented(z.enum(['true', 'false']).default('true'), { description: floorText }) }),
    },
    responses: {
      201: describeCreatedResponse('The benchmark', documented(benchmarkRecord, 'Benchmark')),
      ...describeProblemResponses(
        'invalid-line',
        'body-too-large',
        'content-mismatch',
        'too-many-tools',
        'tools-too-large',
      ),
    },
  },
  async (c) => {
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-line', 'the file is empty');
    const now = new Date();
    const upload = await takeObjectForBenchmark(c);
    const made = await importBenchmarkInto(upload.object, body, makeUploadPace(c.var.caller.key), now).catch(
      async (error: unknown) => {
        await upload.discard();
        throw error;
      },
    );
    const record = await registerOrDiscardBenchmark(c, upload, made);
    if (c.req.valid('query').floor === 'true') await startFloorMeasurementIfNone(c, record.id);
    return c.json(record, 201, { Location: `/v1/benchmarks/${record.id}` });
  },
);

async function importBenchmarkInto(
  benchmark: BenchmarkService,
  body: ReadableStream<Uint8Array>,
  giveWay: GiveWay,
  now: Date,
): Promise<Result<BenchmarkRecord>> {
  await benchmark.beginImport();
  const written = await writeUploadInPiecesUntilRefused(body, giveWay, (lines) => benchmark.importLines(lines));
  return written.ok ? benchmark.finishImport(now.toISOString()) : written;
}

const listBenchmarks = makeEndpoint(
  {
    method: 'get',
    path: '/v1/benchmarks',
    tags: ['benchmarks'],
    summary: 'List the benchmarks',
    middleware: [admitCallerWithScope('read')],
    request: { query: pageQuery },
    responses: {
      200: describeJsonResponse('A page of benchmarks', pageSchema(documented(benchmarkRecord, 'Benchmark'))),
      ...describeProblemResponses(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services
      .object('workspace', c.var.caller.workspace)
      .listResourcesOfKind('benchmark', cursor, limit + 1);
    const benchmarks = read.map(({ json }) => benchmarkRecord.parse(JSON.parse(json)));
    return c.json(
      makePageFromItemsAndOneMore(benchmarks, limit, (benchmark) => benchmark.id),
      200,
    );
  },
);

const getBenchmark = makeEndpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}',
    tags: ['benchmarks'],
    summary: 'Read what a benchmark is made of',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The benchmark', documented(benchmarkRecord, 'Benchmark')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const benchmark = await requireOwnedObject(c, 'benchmark', c.req.valid('param').id);
    return c.json(unwrap(await benchmark.get()), 200);
  },
);

const getFloor = makeEndpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}/floor',
    tags: ['benchmarks'],
    summary: 'Read what agents that know nothing score on a benchmark',
    description:
      'Needs no key. Null agents work on a sample of the public units when a benchmark is frozen or imported. A figure below the floor, or near it, is nothing that an agent had to earn.',
    security: [],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse(
        'The floor; null if nobody has measured it',
        documented(z.object({ benchmark: z.string(), floor: benchmarkFloor.nullable() }), 'FloorOfBenchmark'),
      ),
      ...describePublicProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const benchmark = await requireBenchmarkOfAnyWorkspace(c, id);
    return c.json({ benchmark: id, floor: await benchmark.floor() }, 200);
  },
);

const unitPage = pageSchema(documented(benchmarkUnit, 'BenchmarkUnit'));

const listPublicUnits = makeEndpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}/public',
    tags: ['benchmarks'],
    summary: 'List the public units of a benchmark',
    description: 'Needs no key, except where a server of the benchmark is private. The private units are not in it.',
    security: [],
    request: { params: idParams, query: pageQuery },
    responses: {
      200: describeJsonResponse('A page of units', unitPage),
      ...describePublicProblemResponses('not-found', 'private-server'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const benchmark = await requireBenchmarkVisibleToCaller(c, c.req.valid('param').id);
    const read = await benchmark.listUnits('public', cursor, limit + 1);
    return c.json(
      makePageFromItemsAndOneMore(read, limit, (unit) => unit.id),
      200,
    );
  },
);

const listBenchmarkUnits = makeEndpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}/units',
    tags: ['benchmarks'],
    summary: 'List the units of a benchmark of the workspace',
    description: 'The private ones need a key with the scope `admin`.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: idParams,
      query: pageQuery.extend({ split: z.enum(['all', 'public', 'private']).default('all') }),
    },
    responses: {
      200: describeJsonResponse('A page of units', unitPage),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor, split } = c.req.valid('query');
    requireSightOfSplit(c, split);
    const benchmark = await requireOwnedObject(c, 'benchmark', c.req.valid('param').id);
    return c.json(
      makePageFromItemsAndOneMore(await benchmark.listUnits(split, cursor, limit + 1), limit, (unit) => unit.id),
      200,
    );
  },
);

const exportBenchmark = makeEndpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}/export',
    tags: ['benchmarks'],
    summary: 'Export a benchmark as JSON Lines',
    description:
      'A header, the tools, the units; importing the whole file (`split=all`) gives the same id. The private units need a key with the scope `admin`.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: idParams,
      query: z.object({ split: z.enum(['all', 'public']).default('all') }),
    },
    responses: {
      200: describeJsonLinesResponse('The file'),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { split } = c.req.valid('query');
    requireSightOfSplit(c, split);
    const benchmark = await requireOwnedObject(c, 'benchmark', id);
    return c.body(await makeBenchmarkFileStream(benchmark, split), 200, attachmentHeaders(id));
  },
);

const exportPublicBenchmark = makeEndpoint(
  {
    method: 'get',
    path: '/v1/benchmarks/{id}/public/export',
    tags: ['benchmarks'],
    summary: 'Export the public part of a benchmark as JSON Lines',
    description:
      'Needs no key: whoever wants to compute the figures of a leaderboard again needs the tools and the public units. The private units are not in it. Where a server of the benchmark is private, it needs a key of its workspace.',
    security: [],
    request: { params: idParams },
    responses: {
      200: describeJsonLinesResponse('The file'),
      ...describePublicProblemResponses('not-found', 'private-server'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const benchmark = await requireBenchmarkVisibleToCaller(c, id);
    return c.body(await makeBenchmarkFileStream(benchmark, 'public'), 200, attachmentHeaders(`${id}-public`));
  },
);

export const benchmarkEndpoints: readonly Endpoint[] = [
  freezeBenchmark,
  importBenchmark,
  listBenchmarks,
  getBenchmark,
  getFloor,
  listPublicUnits,
  listBenchmarkUnits,
  exportBenchmark,
  exportPublicBenchmark,
];
