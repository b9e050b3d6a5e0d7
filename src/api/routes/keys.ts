import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { hashApiKey } from '#adapters/secrets/keys.ts';
import { keyRecord, scope } from '#core/access/access.ts';
import type { Endpoint } from '../context.ts';
import { makeEndpoint, idParams, describeJsonResponse, describeJsonBody } from '../endpoint.ts';
import { newId } from '../ids.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { rootKey } from '../middleware/identify.ts';
import { makePageFromItemsAndOneMore, pageSchema, pageQuery } from '../pages.ts';
import { bodyProblems, describeProblemResponses, refusal } from '../problem.ts';

const createKey = makeEndpoint(
  {
    method: 'post',
    path: '/v1/keys',
    tags: ['keys'],
    summary: 'Make a key',
    description: 'The secret is in this response and nowhere else: only its hash is kept.',
    middleware: [admitCallerWithScope('admin')],
    request: {
      body: describeJsonBody(
        documented(
          z.strictObject({
            name: z.string().min(1).max(100),
            scopes: z.array(scope).min(1).max(4),
            workspace: documented(
              z
                .string()
                .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'lower-case letters, digits and hyphens, at most 60')
                .optional(),
              { description: 'Another workspace than that of the key; for the root key alone' },
            ),
          }),
          'NewKeyRequest',
        ),
      ),
    },
    responses: {
      201: describeJsonResponse('The key', documented(keyRecord.extend({ secret: z.string() }), 'NewKey')),
      ...describeProblemResponses(...bodyProblems),
    },
  },
  async (c) => {
    const { name, scopes, workspace = c.var.caller.workspace } = c.req.valid('json');
    if (workspace !== c.var.caller.workspace && c.var.caller.key !== rootKey)
      throw refusal('forbidden', 'only the root key makes keys for other workspaces');
    const now = new Date();
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const secret = `sxt_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    const record = await c.var.services.directory.addKey({
      id: newId('key', now),
      hash: await hashApiKey(secret),
      workspace,
      name,
      scopes: [...new Set(scopes)],
      createdAt: now.toISOString(),
    });
    return c.json({ ...record, secret }, 201);
  },
);

const listKeys = makeEndpoint(
  {
    method: 'get',
    path: '/v1/keys',
    tags: ['keys'],
    summary: 'List the keys of the workspace',
    middleware: [admitCallerWithScope('admin')],
    request: { query: pageQuery },
    responses: {
      200: describeJsonResponse('A page of keys', pageSchema(documented(keyRecord, 'Key'))),
      ...describeProblemResponses(),
    },
  },
  async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const read = await c.var.services.directory.listKeys(c.var.caller.workspace, cursor, limit + 1);
    return c.json(
      makePageFromItemsAndOneMore(read, limit, (key) => key.id),
      200,
    );
  },
);

const removeKey = makeEndpoint(
  {
    method: 'delete',
    path: '/v1/keys/{id}',
    tags: ['keys'],
    summary: 'Remove a key',
    middleware: [admitCallerWithScope('admin')],
    request: { params: idParams },
    responses: { 204: { description: 'The key opens nothing any more' }, ...describeProblemResponses('not-found') },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const removed = await c.var.services.directory.removeKey(c.var.caller.workspace, id);
    if (!removed) throw refusal('not-found', `there is no key ${id}`);
    c.var.knownKeys.forgetKeyById(id);
    return c.body(null, 204);
  },
);

export const keyEndpoints: readonly Endpoint[] = [createKey, listKeys, removeKey];
