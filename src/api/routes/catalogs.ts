import { z } from '@hono/zod-openapi';
import { catalogRecord } from '#core/catalog/server.ts';
import { tool } from '#core/catalog/tool.ts';
import type { Endpoint } from '../context.ts';
import { anId, endpoint, idParams, json, jsonBody, made } from '../endpoint.ts';
import { requires } from '../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../pages.ts';
import { bodyProblems, problems, unwrap } from '../problem.ts';

/** Limits of a catalog. It travels between objects in one call, which carries 32 MiB; one server may have 2,000 tools and 4 MiB. */
const limits = { tools: 10_000, bytes: 16 * 1024 * 1024 } as const;

const createCatalog = endpoint(
  {
    method: 'post',
    path: '/v1/catalogs',
    tags: ['catalogs'],
    summary: 'Freeze the tools of some servers',
    description: 'The id is a hash of the tools: freezing the same tools again gives the same catalog.',
    middleware: [requires('run')],
    request: {
      body: jsonBody(z.strictObject({ servers: z.array(anId).min(1).max(500) })),
    },
    responses: {
      201: made('The catalog', catalogRecord.openapi('Catalog')),
      ...problems(...bodyProblems, 'not-found', 'too-many-tools', 'tools-too-large'),
    },
  },
  async (c) => {
    const { servers } = c.req.valid('json');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const record = unwrap(await workspace.createCatalog(servers, limits, new Date().toISOString()));
    return c.json(record, 201, { Location: `/v1/catalogs/${record.id}` });
  },
);

const listCatalogs = endpoint(
  {
    method: 'get',
    path: '/v1/catalogs',
    tags: ['catalogs'],
    summary: 'List the catalogs',
    middleware: [requires('read')],
    request: { query: pageQuery },
    responses: {
      200: json('A page of catalogs', pageOf(catalogRecord.openapi('Catalog'))),
      ...problems(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.object('workspace', c.var.caller.workspace).listCatalogs(cursor, limit + 1);
    return c.json(
      page(read, limit, (catalog) => catalog.id),
      200,
    );
  },
);

const getCatalog = endpoint(
  {
    method: 'get',
    path: '/v1/catalogs/{id}',
    tags: ['catalogs'],
    summary: 'Read a catalog and its tools',
    middleware: [requires('read')],
    request: { params: idParams },
    responses: {
      200: json(
        'The catalog with its tools, by name',
        z.object({ catalog: catalogRecord.openapi('Catalog'), tools: z.array(tool.openapi('Tool')) }),
      ),
      ...problems('not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    return c.json(unwrap(await workspace.readCatalog(id)), 200);
  },
);

export const catalogEndpoints: readonly Endpoint[] = [createCatalog, listCatalogs, getCatalog];
