import { createRoute, z } from '@hono/zod-openapi';
import { breakdown } from '#core/evaluation/breakdown-record.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems } from '../../problem.ts';
import { findWithUnits } from './find.ts';

/** By server and by domain are the same endpoint with other groups. */
const breakdownRoute = <G extends 'servers' | 'domains'>(groups: G, summary: string) =>
  createRoute({
    method: 'get',
    path: `/v1/evaluations/{id}/results/${groups}`,
    tags: ['evaluations'],
    summary,
    description:
      'A unit belongs to each one that its chain has a tool of, so the groups do not add up to the whole. `calls` and `failedCalls` are those of tools of the group, in whatever unit.',
    middleware: [requires('read')] as const,
    request: { params: z.object({ id: z.string().max(100) }) },
    responses: {
      200: {
        description: 'All groups, by name',
        content: { 'application/json': { schema: breakdown.openapi('Breakdown') } },
      },
      ...problems('not-found'),
    },
  });

const servers = breakdownRoute('servers', 'Read the results of each agent server by server');
const domains = breakdownRoute('domains', 'Read the results of each agent domain by domain');

export const serverBreakdown: Endpoint = (api) =>
  void api.openapi(servers, async (c) => {
    const run = await findWithUnits(c, c.req.valid('param').id);
    return c.json({ items: await run.breakdown('server') }, 200);
  });

export const domainBreakdown: Endpoint = (api) =>
  void api.openapi(domains, async (c) => {
    const run = await findWithUnits(c, c.req.valid('param').id);
    return c.json({ items: await run.breakdown('domain') }, 200);
  });
