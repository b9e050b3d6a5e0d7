import { createRoute, z } from '@hono/zod-openapi';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';
import type { BenchmarkService } from '../../services.ts';
import { textStream } from '../../text-stream.ts';
import { findBenchmark } from './find.ts';

const linesPerRead = 100;

const route = createRoute({
  method: 'get',
  path: '/v1/benchmarks/{id}/export',
  tags: ['benchmarks'],
  summary: 'Export a benchmark as JSON Lines',
  description: 'A header, the tools, the units; importing the whole file gives the same id.',
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
    const benchmark = await findBenchmark(c, id);
    unwrap(await benchmark.get());
    return c.body(lineStream(benchmark, c.req.valid('query').split), 200, {
      'content-type': 'text/jsonl',
      'content-disposition': `attachment; filename="${id}.jsonl"`,
    });
  });

function lineStream(benchmark: BenchmarkService, split: 'all' | 'public'): ReadableStream<Uint8Array> {
  let from = 1;
  return textStream(async () => {
    const lines = await benchmark.exportLines(split, from, linesPerRead);
    from += lines.length;
    return lines.length === 0 ? null : `${lines.join('\n')}\n`;
  });
}
