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
    'Needs no key of yours. Note it down where others cannot change it: it is what a record is held against. A record brings the key along that it was signed with.',
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
              retired: z
                .array(z.object({ publicKey: z.string(), until: z.string() }))
                .openapi({ description: 'Keys that records were signed with before, each until a day' }),
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
    const { SIGNING_KEY, RETIRED_SIGNING_KEYS: retired } = c.var.services.settings;
    const { publicKey } = await signingKey(SIGNING_KEY);
    return c.json({ algorithm: 'Ed25519' as const, publicKey, retired }, 200);
  });
