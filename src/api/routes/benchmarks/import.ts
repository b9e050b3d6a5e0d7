import { createRoute, z } from '@hono/zod-openapi';
import { benchmarkRecord, type BenchmarkRecord } from '#core/benchmarks/benchmark.ts';
import type { Result } from '#core/errors.ts';
import type { Endpoint } from '../../context.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal } from '../../problem.ts';
import type { BenchmarkService } from '../../services.ts';
import { uploadLines } from '../../upload.ts';
import { publish } from './publish.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/benchmarks/import',
  tags: ['benchmarks'],
  summary: 'Import a benchmark',
  description:
    'The body is a file that an export gave: JSON Lines up to 64 MiB, a line up to 1 MiB. The same content gives the same id.',
  middleware: [requires('run')] as const,
  request: { body: { required: true, content: { 'text/jsonl': { schema: z.string() } } } },
  responses: {
    201: {
      description: 'The benchmark',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: benchmarkRecord.openapi('Benchmark') } },
    },
    ...problems('invalid-line', 'body-too-large', 'content-mismatch'),
  },
});

export const importBenchmark: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { body } = c.req.raw;
    if (body === null) throw refusal('invalid-line', 'the file is empty');
    const now = new Date();
    const object = newId('bmo', now);
    const benchmark = c.var.services.benchmark(object);
    const made = await readInto(benchmark, body, now).catch(async (error: unknown) => {
      // An upload that breaks off leaves nothing behind. The stub that threw may stay broken.
      await c.var.services.benchmark(object).discard();
      throw error;
    });
    const record = await publish(c, object, benchmark, made);
    c.header('Location', `/v1/benchmarks/${record.id}`);
    return c.json(record, 201);
  });

async function readInto(
  benchmark: BenchmarkService,
  body: ReadableStream<Uint8Array>,
  now: Date,
): Promise<Result<BenchmarkRecord>> {
  await benchmark.beginImport();
  const written = await uploadLines(body, (lines) => benchmark.importLines(lines));
  return written.ok ? benchmark.finishImport(now.toISOString()) : written;
}
