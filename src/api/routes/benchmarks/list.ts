import { createRoute } from '@hono/zod-openapi';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { problems } from '../../problem.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/benchmarks',
  tags: ['benchmarks'],
  summary: 'List the benchmarks',
  middleware: [requires('read')] as const,
  request: { query: pageQuery },
  responses: {
    200: {
      description: 'A page of benchmarks',
      content: { 'application/json': { schema: pageOf(benchmarkRecord.openapi('Benchmark')) } },
    },
    ...problems(),
  },
});

export const listBenchmarks: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.workspace(c.var.caller.workspace).listResources('benchmark', cursor, limit + 1);
    const benchmarks = read.map(({ json }) => benchmarkRecord.parse(JSON.parse(json)));
    return c.json(
      page(benchmarks, limit, (benchmark) => benchmark.id),
      200,
    );
  });
