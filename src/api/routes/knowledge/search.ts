import { createRoute, z } from '@hono/zod-openapi';
import { factIndex } from '#adapters/vector/fact-index.ts';
import { foundPassage, namespaceName } from '#core/knowledge/record.ts';
import type { Endpoint } from '../../context.ts';
import { unwrapReached } from '../../index-fault.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems } from '../../problem.ts';
import { openKnowledge } from './find.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/knowledge/{id}/search',
  tags: ['knowledge'],
  summary: 'Find the passages nearest to a text',
  description:
    'Best first, by the plain cosine. Nearness is no proof: a false statement lies near the passage that refutes it. Asks the embedder for one vector.',
  middleware: [requires('read')] as const,
  request: {
    params: z.object({ id: z.string().max(100) }),
    query: z.object({
      query: z
        .string()
        .max(8_000)
        .refine((text) => text.trim() !== '', 'a text that says something'),
      namespace: namespaceName.default('main'),
      limit: z.coerce.number().int().min(1).max(100).default(10).openapi({ description: 'How many at most' }),
    }),
  },
  responses: {
    200: {
      description: 'The passages',
      content: { 'application/json': { schema: z.object({ items: z.array(foundPassage.openapi('FoundPassage')) }) } },
    },
    ...problems('not-found', 'dimension-mismatch', 'index-unreachable', 'model-unreachable'),
  },
});

export const searchKnowledge: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { query, namespace, limit } = c.req.valid('query');
    const { opened } = await openKnowledge(c, c.req.valid('param').id);
    const found = unwrapReached(await factIndex(opened, namespace).search(query, limit));
    return c.json({ items: [...found] }, 200);
  });
