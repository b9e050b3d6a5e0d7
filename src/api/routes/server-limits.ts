import { z } from '@hono/zod-openapi';
import { serverRecord } from '#core/catalog/server.ts';
import type { Endpoint } from '../context.ts';
import { describeJsonBody, describeJsonResponse, idParams, makeEndpoint } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { bodyProblems, problemResponses, unwrap } from '../problem.ts';
import { ownersLimits } from '../server-limits.ts';

const changeServer = makeEndpoint(
  {
    method: 'patch',
    path: '/v1/servers/{id}',
    tags: ['servers'],
    summary: 'Change how many requests a server takes',
    description:
      'Nothing is asked of the server. New runs keep to the new limits, runs under way to those that they began with.',
    middleware: [admitCallerWithScope('run')],
    request: {
      params: idParams,
      body: describeJsonBody(z.strictObject({ limits: ownersLimits }).openapi('ServerChange')),
    },
    responses: {
      200: describeJsonResponse('The server', serverRecord.openapi('Server')),
      ...problemResponses(...bodyProblems, 'not-found'),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    return c.json(unwrap(await workspace.setServerLimits(id, c.req.valid('json').limits)), 200);
  },
);

export const serverLimitEndpoints: readonly Endpoint[] = [changeServer];
