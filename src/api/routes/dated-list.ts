import { createRoute, z } from '@hono/zod-openapi';
import type { ResourceKind } from '#core/resources.ts';
import type { Endpoint } from '../context.ts';
import { requires } from '../middleware/authenticate.ts';
import { page, pageOf, pageQuery } from '../pages.ts';
import { problems } from '../problem.ts';

const listed = z.object({ id: z.string(), createdAt: z.string() });
const stored = listed.omit({ id: true });

/** The endpoint that lists resources of which a workspace knows no more than the id and the date. */
export const datedList = (kind: {
  readonly kind: ResourceKind;
  readonly summary: string;
  readonly item: 'ListedRun' | 'RecordingSummary';
  readonly description: string;
}): Endpoint => {
  const route = createRoute({
    method: 'get',
    path: `/v1/${kind.kind}s`,
    tags: [`${kind.kind}s`],
    summary: kind.summary,
    middleware: [requires('read')] as const,
    request: { query: pageQuery },
    responses: {
      200: {
        description: kind.description,
        content: { 'application/json': { schema: pageOf(listed.openapi(kind.item)) } },
      },
      ...problems(),
    },
  });
  return (api) =>
    void api.openapi(route, async (c) => {
      const { limit, cursor } = c.req.valid('query');
      const workspace = c.var.services.workspace(c.var.caller.workspace);
      const read = await workspace.listResources(kind.kind, cursor, limit + 1);
      const items = read.map(({ id, json }) => ({ id, ...stored.parse(JSON.parse(json)) }));
      return c.json(
        page(items, limit, ({ id }) => id),
        200,
      );
    });
};
