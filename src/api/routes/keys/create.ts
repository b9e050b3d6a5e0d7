import { createRoute, z } from '@hono/zod-openapi';
import { keyRecord, scope } from '#core/access.ts';
import { hashKey } from '#adapters/secrets/keys.ts';
import type { Endpoint } from '../../context.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { rootKey } from '../../middleware/identify.ts';
import { problems, refusal } from '../../problem.ts';

const route = createRoute({
  method: 'post',
  path: '/v1/keys',
  tags: ['keys'],
  summary: 'Make a key',
  description: 'The secret is in this response and nowhere else: only its hash is kept.',
  middleware: [requires('admin')] as const,
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z
            .strictObject({
              name: z.string().min(1).max(100),
              scopes: z.array(scope).min(1).max(4),
              workspace: z
                .string()
                .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'lower-case letters, digits and hyphens, at most 60')
                .optional()
                .openapi({ description: 'Another workspace than that of the key; for the root key alone' }),
            })
            .openapi('NewKeyRequest'),
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The key',
      content: { 'application/json': { schema: keyRecord.extend({ secret: z.string() }).openapi('NewKey') } },
    },
    ...problems('malformed-json', 'unsupported-media-type', 'body-too-large'),
  },
});

export const createKey: Endpoint = (api) =>
  void api.openapi(route, async (c) => {
    const { name, scopes, workspace = c.var.caller.workspace } = c.req.valid('json');
    if (workspace !== c.var.caller.workspace && c.var.caller.key !== rootKey)
      throw refusal('forbidden', 'only the root key makes keys for other workspaces');
    const now = new Date();
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const secret = `sxt_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    const record = await c.var.services.directory.addKey({
      id: newId('key', now),
      hash: await hashKey(secret),
      workspace,
      name,
      scopes: [...new Set(scopes)],
      createdAt: now.toISOString(),
    });
    return c.json({ ...record, secret }, 201);
  });
