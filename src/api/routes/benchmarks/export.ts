import { createRoute, z } from '@hono/zod-openapi';
import { attachment } from '../../attachment.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import { benchmarkFile } from './file.ts';
import { findBenchmark, requireForPrivate } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/benchmarks/{id}/export',
  tags: ['benchmarks'],
  summary: 'Export a benchmark as JSON Lines',
  description:
    'A header, the tools, the units; importing the whole file (`split=all`) gives the same id. The private units need a key with the scope `admin`.',
  middleware: [requires('run')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    query: z.object({ split: z.enum(['all', 'public']).default('all') }),
  },
  responses: {
    200: { description: 'The file', content: { 'text/jsonl': { schema: z.string() } } },
    ...problems('not-found'),
  },
});

export const exportBenchmark: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id } = c.req.valid('param');
    const { split } = c.req.valid('query');
    requireForPrivate(c, split);
    const benchmark = await findBenchmark(c, id);
    unwrap(await benchmark.get());
    return c.body(benchmarkFile(benchmark, split), 200, attachment(id));
  });
