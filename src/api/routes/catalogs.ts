import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { catalogLimits } from '#core/catalog/catalog.ts';
import { catalogRecord } from '#core/catalog/server.ts';
import { toolSelection } from '#core/catalog/selection.ts';
import { tool } from '#core/catalog/tool.ts';
import type { Endpoint } from '../context.ts';
import {
  idSchema,
  makeEndpoint,
  idParams,
  describeJsonResponse,
  describeJsonBody,
  describeCreatedResponse,
} from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { bodyProblems, describeProblemResponses, unwrap } from '../problem.ts';

const createCatalog = makeEndpoint(
  {
    method: 'post',
    path: '/v1/catalogs',
    tags: ['catalogs'],
    summary: 'Freeze the tools of some servers',
    description:
      'The id is a hash of the tools: freezing the same tools again gives the same catalog. Tools take part up to what their server allows (`reads`, if its owner says nothing else) and up to `upTo`; runs over the catalog call no others.',
    middleware: [admitCallerWithScope('run')],
    request: {
      body: describeJsonBody(
        documented(
          z.strictObject({ servers: z.array(idSchema).min(1).max(500), ...toolSelection.shape }),
          'NewCatalog',
        ),
      ),
    },
    responses: {
      201: describeCreatedResponse('The catalog', documented(catalogRecord, 'Catalog')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'too-many-tools', 'tools-too-large', 'nothing-allowed'),
    },
  },
  async (c) => {
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const record = unwrap(
      await workspace.findOrCreateCatalog(c.req.valid('json'), catalogLimits, new Date().toISOString()),
    );
    return c.json(record, 201, { Location: `/v1/catalogs/${record.id}` });
  },
);

const listCatalogs = makeEndpoint(
  {
    method: 'get',
    path: '/v1/catalogs',
    tags: ['catalogs'],
    summary: 'List the catalogs',
    middleware: [admitCallerWithScope('read')],
    request: { query: pageQuery },
    responses: {
      200: describeJsonResponse('A page of catalogs', pageSchema(documented(catalogRecord, 'Catalog'))),
      ...describeProblemResponses(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.object('workspace', c.var.caller.workspace).listCatalogs(cursor, limit + 1);
    return c.json(
      makePageFromItemsAndOneMore(read, limit, (catalog) => catalog.id),
      200,
    );
  },
);

const getCatalog = makeEndpoint(
  {
    method: 'get',
    path: '/v1/catalogs/{id}',
    tags: ['catalogs'],
    summary: 'Read a catalog and its tools',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse(
        'The catalog with its tools, by name',
        z.object({ catalog: documented(catalogRecord, 'Catalog'), tools: z.array(documented(tool, 'Tool')) }),
      ),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    return c.json(unwrap(await workspace.readCatalogWithTools(id)), 200);
  },
);

export const catalogEndpoints: readonly Endpoint[] = [createCatalog, listCatalogs, getCatalog];
