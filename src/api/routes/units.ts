import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { unitSightOfCaller } from '#core/access/access.ts';
import { unitDetail, unitSummary } from '#core/exploration/record.ts';
import { toolReport } from '#core/reports/tool-report/record.ts';
import { deletedUnitTexts } from '#core/units/delete-texts.ts';
import { unitOrigin, unitStatus } from '#core/units/unit.ts';
import type { Endpoint } from '../context.ts';
import { idSchema, makeEndpoint, idParams, describeJsonResponse } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { requireOwnedObject } from '../owned.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { describeProblemResponses, unwrap } from '../problem.ts';
import { toolReportDescription } from '../tool-report.ts';
import { listedWrite, writesCursor, writesDescription } from '../writes.ts';

/** What lists of units say about hidden units. */
export const withheldUnits =
  'Units that a benchmark holds out, their variants and near-duplicates are left out without the scope `admin`.';

/** The schema of a page of units as the caller sees them. */
export const seenPage = pageSchema(documented(unitSummary, 'UnitSummary')).extend({
  withheld: documented(z.int().min(0), {
    description: 'How many units of the whole run the key does not see, whatever the filter',
  }),
});

const listUnits = makeEndpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/units',
    tags: ['explorations'],
    summary: 'List the units of an exploration',
    description: withheldUnits,
    middleware: [admitCallerWithScope('read')],
    request: {
      params: idParams,
      query: pageQuery.extend({
        status: unitStatus.optional(),
        probe: z.enum(['true', 'false']).optional(),
        origin: unitOrigin.optional(),
        round: z.coerce.number().int().min(1).optional(),
        tool: documented(z.string().max(300).optional(), { description: 'Only units whose chain holds this tool' }),
      }),
    },
    responses: {
      200: describeJsonResponse('A page of units', seenPage),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor, status, probe, origin, round, tool } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'exploration', c.req.valid('param').id);
    const filter = {
      status: status ?? null,
      probe: probe === undefined ? null : probe === 'true',
      round: round ?? null,
      tool: tool ?? null,
      origin: origin ?? null,
    };
    const { units, withheld } = unwrap(
      await run.units.list(filter, cursor, limit + 1, unitSightOfCaller(c.var.caller)),
    );
    return c.json({ ...makePageFromItemsAndOneMore(units, limit, (unit) => unit.id), withheld }, 200);
  },
);

const listWrites = makeEndpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/writes',
    tags: ['explorations'],
    summary: "List the calls that may have changed a server's state",
    description: `${writesDescription} They name units that a benchmark may hold out, so the scope \`admin\` is needed.`,
    middleware: [admitCallerWithScope('admin')],
    request: { params: idParams, query: pageQuery.extend({ cursor: writesCursor }) },
    responses: {
      200: describeJsonResponse('A page of calls', pageSchema(listedWrite)),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'exploration', c.req.valid('param').id);
    const read = unwrap(await run.listWrites(cursor, limit + 1));
    return c.json(
      makePageFromItemsAndOneMore(read, limit, ({ n }) => String(n)),
      200,
    );
  },
);

const reportOnTools = makeEndpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/tools',
    tags: ['explorations'],
    summary: 'Read what the attempts of an exploration say about each tool',
    description: `${toolReportDescription} ${withheldUnits}`,
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The report', documented(toolReport, 'ToolReport')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const run = await requireOwnedObject(c, 'exploration', c.req.valid('param').id);
    return c.json(unwrap(await run.reportOnTools(unitSightOfCaller(c.var.caller))), 200);
  },
);

const getUnit = makeEndpoint(
  {
    method: 'get',
    path: '/v1/explorations/{id}/units/{unit}',
    tags: ['explorations'],
    summary: 'Read a unit with its audits, earlier wordings and traces',
    description: 'A unit that a benchmark holds out needs a key with the scope `admin`.',
    middleware: [admitCallerWithScope('read')],
    request: { params: z.object({ id: idSchema, unit: idSchema }) },
    responses: {
      200: describeJsonResponse('The unit', documented(unitDetail, 'UnitDetail')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id, unit } = c.req.valid('param');
    const run = await requireOwnedObject(c, 'exploration', id);
    return c.json(unwrap(await run.units.get(unit, unitSightOfCaller(c.var.caller))), 200);
  },
);

const deleteTexts = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/explorations/{id}/units/{unit}/texts',
    tags: ['explorations'],
    summary: 'Delete the texts of the attempts at a unit, and keep what is counted of them',
    description:
      'Deletes arguments, results and answers of the attempts, and the examples of calls that writers see of them. The requests of the unit, its audits, its calls and their outcomes stay, and so do all estimates. It cannot be undone; repeating it changes nothing. `keepTextsDays` of an exploration does the same for all of its units, and for their variants.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: z.object({ id: idSchema, unit: idSchema }),
      query: z.object({
        request: documented(z.enum(['source', 'followUp']).optional(), {
          description: 'The request of the attempt; without it both attempts at the unit',
        }),
      }),
    },
    responses: {
      200: describeJsonResponse('The attempts without texts', documented(deletedUnitTexts, 'DeletedUnitTexts')),
      ...describeProblemResponses('not-found', 'wrong-state'),
    },
  },
  async (c) => {
    const { id, unit } = c.req.valid('param');
    const { request = null } = c.req.valid('query');
    const run = await requireOwnedObject(c, 'exploration', id);
    return c.json(unwrap(await run.texts.delete(unit, request, unitSightOfCaller(c.var.caller))), 200);
  },
);

export const unitEndpoints: readonly Endpoint[] = [listUnits, listWrites, reportOnTools, getUnit, deleteTexts];
