import { createRoute, z } from '@hono/zod-openapi';
import { benchmarkUnit } from '#core/benchmarks/benchmark.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../../pages.ts';
import { openProblems, problems, refusal } from '../../problem.ts';
import { findBenchmark, requireForPrivate } from './find.ts';

const params = z.object({ id: z.string().max(100) });
const unitPage = pageOf(benchmarkUnit.openapi('BenchmarkUnit'));

const publicRoute = createRoute({
  method: 'get',
  path: '/v1/benchmarks/{id}/public',
  tags: ['benchmarks'],
  summary: 'List the public units of a benchmark',
  description: 'Needs no key. The private units are not in it.',
  security: [],
  request: { params, query: pageQuery },
  responses: {
    200: { description: 'A page of units', content: { 'application/json': { schema: unitPage } } },
    ...openProblems('not-found'),
  },
});

export const listPublicUnits: Endpoint = (api) =>
  void api.openapi(publicRoute, async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const { id } = c.req.valid('param');
    const found = await c.var.services.directory.findBenchmark(id);
    if (found === null) throw refusal('not-found', `there is no benchmark ${id}`);
    const read = await c.var.services.benchmark(found.object).listUnits('public', cursor, limit + 1);
    return c.json(
      page(read, limit, (unit) => unit.id),
      200,
    );
  });

const allRoute = createRoute({
  method: 'get',
  path: '/v1/benchmarks/{id}/units',
  tags: ['benchmarks'],
  summary: 'List the units of a benchmark of the workspace',
  description: 'The private ones need a key with the scope `admin`.',
  middleware: [requires('run')] as const,
  request: { params, query: pageQuery.extend({ split: z.enum(['all', 'public', 'private']).default('all') }) },
  responses: {
    200: { description: 'A page of units', content: { 'application/json': { schema: unitPage } } },
    ...problems('not-found'),
  },
});

export const listBenchmarkUnits: Endpoint = (api) =>
  void api.openapi(allRoute, async (c) => {
    const { limit, cursor, split } = c.req.valid('query');
    requireForPrivate(c, split);
    const benchmark = await findBenchmark(c, c.req.valid('param').id);
    return c.json(
      page(await benchmark.listUnits(split, cursor, limit + 1), limit, (unit) => unit.id),
      200,
    );
  });
