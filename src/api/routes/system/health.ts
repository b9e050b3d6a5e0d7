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
          schema: z
            .object({
              status: z.literal('ok'),
              harness: z.string(),
              offline: z.boolean(),
              instance: z.string().openapi({ description: 'The process that answers: another one after a restart' }),
            })
            .openapi('Health'),
        },
      },
    },
  },
});

/** Made with the first answer: a Worker may not draw chance while it is loaded. */
let instance: string | null = null;

export const health: Endpoint = (api) =>
  void api.openapi(route, (c) => {
    const { OFFLINE_MODELS: offline } = c.var.services.settings;
    instance ??= crypto.randomUUID();
    return c.json({ status: 'ok' as const, harness: harnessVersion, offline, instance }, 200);
  });
