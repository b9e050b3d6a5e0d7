import { createRoute, z } from '@hono/zod-openapi';
import { unitDetail } from '#core/exploration/record.ts';
import { unitOrigin, unitStatus } from '#core/units/unit.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { page, pageQuery } from '../../pages.ts';
import { problems, unwrap } from '../../problem.ts';
import { findExploration } from './find.ts';
import { seenPage, sightOf, withheldUnits } from './sight.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/v1/explorations/{id}/units',
  tags: ['explorations'],
  summary: 'List the units of an exploration',
  description: withheldUnits,
  middleware: [requires('read')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    query: pageQuery.extend({
      status: unitStatus.optional(),
      probe: z.enum(['true', 'false']).optional(),
      origin: unitOrigin.optional(),
      round: z.coerce.number().int().min(1).optional(),
      tool: z.string().max(300).optional().openapi({ description: 'Only units whose chain holds this tool' }),
    }),
  },
  responses: {
    200: {
      description: 'A page of units',
      content: { 'application/json': { schema: seenPage } },
    },
    ...problems('not-found'),
  },
});

export const listUnits: Endpoint = (api) =>
  void api.openapi(listRoute, async (c) => {
    const { limit, cursor, status, probe, origin, round, tool } = c.req.valid('query');
    const run = await findExploration(c, c.req.valid('param').id);
    const filter = {
      status: status ?? null,
      probe: probe === undefined ? null : probe === 'true',
      round: round ?? null,
      tool: tool ?? null,
      origin: origin ?? null,
    };
    const { units, withheld } = await run.listUnits(filter, cursor, limit + 1, sightOf(c));
    return c.json({ ...page(units, limit, (unit) => unit.id), withheld }, 200);
  });

const getRoute = createRoute({
  method: 'get',
  path: '/v1/explorations/{id}/units/{unit}',
  tags: ['explorations'],
  summary: 'Read a unit with its audits, earlier wordings and traces',
  description: 'A unit that a benchmark holds out needs a key with the scope `admin`.',
  middleware: [requires('read')] as const,
  request: { params: z.object({ id: z.string().max(100), unit: z.string().max(100) }) },
  responses: {
    200: { description: 'The unit', content: { 'application/json': { schema: unitDetail.openapi('UnitDetail') } } },
    ...problems('not-found'),
  },
});

export const getUnit: Endpoint = (api) =>
  void api.openapi(getRoute, async (c) => {
    const { id, unit } = c.req.valid('param');
    const run = await findExploration(c, id);
    return c.json(unwrap(await run.getUnit(unit, sightOf(c))), 200);
  });
