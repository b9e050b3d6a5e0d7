import { createRoute, z } from '@hono/zod-openapi';
import { signingKey } from '#core/leaderboards/signature.ts';
import type { Endpoint } from '../../context.ts';
import { openProblems } from '../../problem.ts';

const route = createRoute({
  method: 'get',
  path: '/v1/signing-key',
  tags: ['leaderboards'],
  summary: 'The public key that signed records are checked with',
  description:
    'Needs no key of yours. Note it down where others cannot change it: it is what a record is held against.',
  security: [],
  responses: {
    200: {
      description: 'The key',
      content: {
        'application/json': {
          schema: z
            .object({
              algorithm: z.literal('Ed25519'),
              publicKey: z.string().openapi({ description: 'Base64 of its 32 bytes' }),
            })
            .openapi('SigningKey'),
        },
      },
    },
    ...openProblems(),
  },
});

export const getSigningKey: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { publicKey } = await signingKey(c.var.services.settings.SIGNING_KEY);
    return c.json({ algorithm: 'Ed25519' as const, publicKey }, 200);
  });
