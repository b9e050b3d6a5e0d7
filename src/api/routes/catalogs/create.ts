import { createRoute, z } from '@hono/zod-openapi';
import { catalogRecord } from '#core/catalog/server.ts';
import type { Endpoint } from '../../context.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems, unwrap } from '../../problem.ts';

/** Limits of a catalog. It travels between objects in one call, which carries 32 MiB; one server may have 2,000 tools and 4 MiB. */
const limits = { tools: 10_000, bytes: 16 * 1024 * 1024 } as const;

const route = createRoute({
  method: 'post',
  path: '/v1/catalogs',
  tags: ['catalogs'],
  summary: 'Freeze the tools of some servers',
  description: 'The id is a hash of the tools: freezing the same tools again gives the same catalog.',
  middleware: [requires('run')] as const,
  request: {
    body: {
      required: true,
      content: {
        'application/json': { schema: z.strictObject({ servers: z.array(z.string().max(100)).min(1).max(500) }) },
      },
    },
  },
  responses: {
    201: {
      description: 'The catalog',
      headers: z.object({ Location: z.string() }),
      content: { 'application/json': { schema: catalogRecord.openapi('Catalog') } },
    },
    ...problems(
      'malformed-json',
      'unsupported-media-type',
      'body-too-large',
      'not-found',
      'too-many-tools',
      'tools-too-large',
    ),
  },
});

export const createCatalog: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { servers } = c.req.valid('json');
    const workspace = c.var.services.workspace(c.var.caller.workspace);
    const record = unwrap(await workspace.createCatalog(servers, limits, new Date().toISOString()));
    c.header('Location', `/v1/catalogs/${record.id}`);
    return c.json(record, 201);
  });
