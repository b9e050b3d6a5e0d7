import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { serverRecord } from '#core/catalog/server.ts';
import type { Endpoint } from '../context.ts';
import { describeJsonBody, describeJsonResponse, idParams, makeEndpoint } from '../endpoint.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { countServerRequests } from '../middleware/count-server-requests.ts';
import { bodyProblems, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import {
  authProblems,
  authSchema,
  findConsentObject,
  addIssueIfTwoAuthorizations,
  runWithPreparedServerAuth,
} from '../server-auth.ts';
import { encryptServerHeaders, headersSchema } from '../server-headers.ts';
import { ownersLimits } from '../server-limits.ts';

const change = documented(
  z
    .strictObject({
      limits: ownersLimits.optional(),
      headers: headersSchema.optional(),
      auth: authSchema.nullable().optional(),
    })
    .superRefine(addIssueIfTwoAuthorizations),
  'ServerChange',
);

const changeServer = makeEndpoint(
  {
    method: 'patch',
    path: '/v1/servers/{id}',
    tags: ['servers'],
    summary: 'Change how many requests a server takes, or the secrets that it gets',
    description:
      'The tools are not listed again. New runs keep to the new limits, runs under way to those that they began with. `headers` replaces all headers, `auth` how requests are authorized (null: not at all); a token of a machine is asked for before it is stored, and a consent that is replaced is withdrawn an hour later. Attempts that begin later use the new secrets, also those of runs under way.',
    middleware: [admitCallerWithScope('run'), countServerRequests],
    request: { params: idParams, body: describeJsonBody(change) },
    responses: {
      200: describeJsonResponse('The server', documented(serverRecord, 'Server')),
      ...describeProblemResponses(...bodyProblems, 'not-found', 'server-not-connected', ...authProblems),
    },
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { limits, headers, auth } = c.req.valid('json');
    const { settings } = c.var.services;
    const workspace = c.var.services.object('workspace', c.var.caller.workspace);
    const connection = await workspace.serverConnection(id);
    if (connection === null) throw refusal('not-found', `there is no server ${id}`);
    const { url, name } = connection;
    if (url === null && (headers !== undefined || auth !== undefined))
      throw refusal('server-not-connected', `${name} has no address to which secrets could be sent`);
    const change = {
      ...(limits === undefined ? {} : { limits }),
      ...(headers === undefined || url === null ? {} : { headers: await encryptServerHeaders(settings, headers, url) }),
    };
    const changed = await runWithPreparedServerAuth(c.var, auth, { id, url: url ?? '' }, async (prepared) =>
      unwrap(
        await workspace.changeServer(id, {
          ...change,
          ...(auth === undefined ? {} : { auth: prepared?.stored ?? null }),
        }),
      ),
    );
    if (connection.auth?.type === 'authorization-code' && changed.auth?.consent !== connection.auth.consent)
      await findConsentObject(c.var.services, connection.auth)?.withdrawLater();
    return c.json(changed, 200);
  },
);

export const serverChangeEndpoints: readonly Endpoint[] = [changeServer];
