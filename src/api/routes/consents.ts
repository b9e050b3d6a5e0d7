import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { prepareConsent } from '#adapters/mcp/oauth/start-consent.ts';
import { sealConsentIdAsState, makeUnforgeableConsentId } from '#adapters/secrets/consent-state.ts';
import { newConsent } from '#core/catalog/server-auth.ts';
import { isAllowedRedirectOrigin } from '#core/catalog/consent/client-metadata.ts';
import { consentEncryptionContext, consentRecord } from '#core/catalog/consent/consent.ts';
import type { Endpoint } from '../context.ts';
import {
  describeCreatedResponse,
  describeJsonBody,
  describeJsonResponse,
  idParams,
  makeEndpoint,
} from '../endpoint.ts';
import { newId } from '../ids.ts';
import { admitCallerWithScope } from '../middleware/authenticate.ts';
import { consentPagePath } from '../middleware/check-small-body.ts';
import { countServerRequests } from '../middleware/count-server-requests.ts';
import { getDeploymentOAuthClient } from '../own-client.ts';
import { bodyProblems, describeProblemResponses, refusal, unwrap } from '../problem.ts';
import { encryptOrRefuse } from '../secrets.ts';
import { runAuthRequestsOrThrowRefusal, authProblems, requireConsentObject } from '../server-auth.ts';

/** How long a person has to consent, in milliseconds. */
const consentMs = 10 * 60_000;

const askForConsent = makeEndpoint(
  {
    method: 'post',
    path: '/v1/consents',
    tags: ['servers'],
    summary: 'Ask a person for consent to use a server that wants OAuth',
    description:
      'Finds out who gives tokens for the server and how that knows Sextant: by the client that is given, by the client metadata document of the deployment, or by registering (RFC 7591). A person opens `page` in a browser within ten minutes; until the state is `given`, ask for it again. Then register the server, or change it, with `"auth": {"type": "authorization-code", "consent": "cns_..."}`. A consent that no server uses is withdrawn after an hour.',
    middleware: [admitCallerWithScope('run'), countServerRequests],
    request: { body: describeJsonBody(documented(newConsent, 'NewConsent')) },
    responses: {
      201: describeCreatedResponse(
        'What was asked for, and where a person answers',
        z.object({
          consent: documented(consentRecord, 'Consent'),
          page: documented(z.string(), { description: 'Where a person consents. Give it to nobody else.' }),
        }),
      ),
      ...describeProblemResponses(...bodyProblems, ...authProblems),
    },
  },
  async (c) => {
    const said = c.req.valid('json');
    const { services, caller } = c.var;
    const { settings } = services;
    const { ALLOW_LOCAL_SERVERS: allowLocal, ENCRYPTION_KEY: key } = settings;
    const own = getDeploymentOAuthClient(c);
    if (!isAllowedRedirectOrigin(own.origin))
      throw refusal(
        'consent-needed',
        `people cannot be sent back to ${own.origin} safely; set PUBLIC_ORIGIN to an address with https`,
      );
    const { asked: started, secrets } = await runAuthRequestsOrThrowRefusal(settings, said.url, c.var, (_, fetch) =>
      prepareConsent(said, { own, fetch, allowLocal }),
    );
    const now = new Date();
    const id = await makeUnforgeableConsentId(key, newId('cns', now));
    const asked = {
      ...started,
      id,
      workspace: caller.workspace,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + consentMs).toISOString(),
    };
    const sealed = await encryptOrRefuse(settings, JSON.stringify(secrets), consentEncryptionContext(asked));
    const consent = await services.object('consent', id).create(asked, sealed);
    const page = new URL(consentPagePath, own.origin);
    page.searchParams.set('state', await sealConsentIdAsState(key, id));
    return c.json({ consent, page: page.href }, 201, { Location: `/v1/consents/${id}` });
  },
);

const getConsent = makeEndpoint(
  {
    method: 'get',
    path: '/v1/consents/{id}',
    tags: ['servers'],
    summary: 'Read a consent: whether it was given, and which server has it',
    middleware: [admitCallerWithScope('read')],
    request: { params: idParams },
    responses: {
      200: describeJsonResponse('The consent, without its tokens', documented(consentRecord, 'Consent')),
      ...describeProblemResponses('not-found'),
    },
  },
  async (c) => {
    const consent = await requireConsentObject(c.var.services, c.req.valid('param').id);
    return c.json(unwrap(await consent.describe(c.var.caller.workspace)), 200);
  },
);

export const consentEndpoints: readonly Endpoint[] = [askForConsent, getConsent];
