import { createRoute, z } from '@hono/zod-openapi';
import { namespaceName } from '#core/knowledge/record.ts';
import type { Endpoint } from '../../context.ts';
import { unwrapReached } from '../../index-fault.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems } from '../../problem.ts';
import { openKnowledge } from './find.ts';

const route = createRoute({
  method: 'delete',
  path: '/v1/knowledge/{id}/namespaces/{namespace}',
  tags: ['knowledge'],
  summary: 'Take all passages out of a namespace',
  description: 'At Upstash also those that others have put in. A namespace without passages is no different from none.',
  middleware: [requires('run')] as const,
  request: { params: z.object({ id: z.string().max(100), namespace: namespaceName }) },
  responses: { 204: { description: 'It is empty' }, ...problems('not-found', 'index-unreachable') },
});

export const clearNamespace: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { id, namespace } = c.req.valid('param');
    const { index, opened } = await openKnowledge(c, id);
    unwrapReached(await opened.store.clear(namespace));
    await index.clearedElsewhere(namespace);
    await index.tell([{ type: 'namespace.cleared', namespace }]);
    return c.body(null, 204);
  });
