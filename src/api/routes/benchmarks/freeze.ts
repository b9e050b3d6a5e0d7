import { createRoute, z } from '@hono/zod-openapi';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import type { Endpoint } from '../../context.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, refusal } from '../../problem.ts';
import { publish } from './publish.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/benchmarks',
  tags: ['benchmarks'],
  summary: 'Freeze runs into a benchmark',
  description:
    'Takes the accepted units of runs over one catalog that are over or paused. The id is a hash of the content: freezing the same again gives the same benchmark.',
  middleware: [requires('run')] as const,
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z
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
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The benchmark',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: benchmarkRecord.openapi('Benchmark') } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'wrong-state',
      'catalog-mismatch',
      'nothing-to-freeze',
      'benchmark-too-large',
    ),
  },
});

export const freezeBenchmark: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const body = c.req.valid('json');
    const explorations = [...new Set(body.explorations)];
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    for (const id of explorations) {
      if ((await workspace.findResource('exploration', id)) === null)
        throw refusal('not-found', `there is no exploration ${id}`);
    }
    const now = new Date();
    const object = newId('bmo', now);
    const benchmark = c.var.services.benchmark(object);
    const made = await benchmark.freeze({ ...body, explorations, at: now.toISOString() });
    const record = await publish(c, object, benchmark, made);
    c.header('Location', `/v1/benchmarks/${record.id}`);
    return c.json(record, 201);
  });
