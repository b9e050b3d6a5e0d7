import { createRoute, z } from '@hono/zod-openapi';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { findBenchmark } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/benchmarks/{id}',
  tags: ['benchmarks'],
  summary: 'Read what a benchmark is made of',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: {
      description: 'The benchmark',
      content: { 'application/json': { schema: benchmarkRecord.openapi('Benchmark') } },
    },
    ...problems('not-found'),
  },
});

export const getBenchmark: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const benchmark = await findBenchmark(c, c.req.valid('param').id);
    return c.json(unwrap(await benchmark.get()), 200);
  });
