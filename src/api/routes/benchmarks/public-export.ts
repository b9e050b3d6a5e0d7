import { createRoute, z } from '@hono/zod-openapi';
import { attachment } from '../../attachment.ts';
import type { Endpoint } from '../../context.ts';
import { openProblems, refusal } from '../../problem.ts';
import { benchmarkFile } from './file.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/benchmarks/{id}/public/export',
  tags: ['benchmarks'],
  summary: 'Export the public part of a benchmark as JSON Lines',
  description:
    'Needs no key: whoever wants to compute the figures of a leaderboard anew needs the tools and the public units. The private units are not in it.',
  security: [],
  request: { params: z.object({ id: z.string().max(100) }) },
  responses: {
    200: { description: 'The file', content: { 'text/jsonl': { schema: z.string() } } },
    ...openProblems('not-found'),
  },
});

export const exportPublicBenchmark: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const found = await c.var.services.directory.findBenchmark(id);
    if (found === null) throw refusal('not-found', `there is no benchmark ${id}`);
    return c.body(benchmarkFile(c.var.services.benchmark(found.object), 'public'), 200, attachment(`${id}-public`));
  });
