import { createRoute, z } from '@hono/zod-openapi';
import { keyRecord, scope } from '#core/access.ts';
import { hashKey } from '#adapters/secrets/keys.ts';
import type { Endpoint } from '../../context.ts';
import { newId } from '../../ids.ts';
import { requires } from '../../middleware/authenticate.ts';
import { problems } from '../../problem.ts';

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
          schema: z.strictObject({ name: z.string().min(1).max(100), scopes: z.array(scope).min(1).max(4) }),
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
    const { name, scopes } = c.req.valid('json');
    const now = new Date();
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const secret = `sxt_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    const record = await c.var.services.directory.addKey({
      id: newId('key', now),
      hash: await hashKey(secret),
      workspace: c.var.caller.workspace,
      name,
      scopes: [...new Set(scopes)],
      createdAt: now.toISOString(),
    });
    return c.json({ ...record, secret }, 201);
  });
