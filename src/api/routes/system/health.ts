import { createRoute, z } from '@hono/zod-openapi';
import { harnessVersion } from '#core/harness.ts';
import type { Endpoint } from '../../context.ts';

const route = createRoute({
  method: 'get',
  path: '/health',
  tags: ['system'],
  summary: 'Whether the service is up',
  security: [],
  responses: {
    200: {
      description: 'It is',
      content: {
        'application/json': {
          schema: z.object({ status: z.literal('ok'), harness: z.string(), offline: z.boolean() }).openapi('Health'),
        },
      },
    },
  },
});

export const health: Endpoint = (api) =>
  void api.openapi(route, (c) =>
    c.json({ status: 'ok' as const, harness: harnessVersion, offline: c.var.services.settings.OFFLINE_MODELS }, 200),
  );
