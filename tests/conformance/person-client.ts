import { z } from 'zod';
import { redeemCode } from '#adapters/mcp/oauth/consent-tokens.ts';
import { prepareConsent } from '#adapters/mcp/oauth/start-consent.ts';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { explainAnswerProblem, readAuthorizationAnswer } from '#core/catalog/consent/answer.ts';
import { makeAuthorizationUrl, makeConsentAuth } from '#core/catalog/consent/consent.ts';
import { ok } from '#core/values/result.ts';
import { Person } from '../support/person.ts';
import { listAndCall } from './list-and-call.ts';

/**
 * What the conformance suite starts as the client of a server that a person consents to. It does what a consent, registering the server
 * and one attempt do; the authorization servers of the suite consent at once.
 */
const context = z.object({ client_id: z.string(), client_secret: z.string() });
const given = process.env['MCP_CONFORMANCE_CONTEXT'];
const client = context.safeParse(given === undefined ? null : JSON.parse(given)).data;

const url = z.url().parse(process.argv.at(-1));
const admission = new Admission();
const fetch = makeGuardedFetch({ admission, allowLocal: true, maxBytes: 100_000, timeoutMs: 5_000 });
const said = client === undefined ? { url } : { url, clientId: client.client_id, clientSecret: client.client_secret };
// The address that the suite knows as the document of a client.
const own = { origin: 'http://localhost:3000', documentUrl: 'https://conformance-test.local/client-metadata.json' };
const { asked: started, secrets } = await prepareConsent(said, { own, fetch, allowLocal: true });
const asked = { ...started, id: 'cns_test', workspace: 'ws_test', createdAt: '', expiresAt: '' };

const person = new Person(() => Promise.reject(new Error('the deployment has no page here')));
const location = new URL(await person.answer(makeAuthorizationUrl(asked, 'a state')));
if (location.searchParams.get('state') !== 'a state') throw new Error('the answer is to something else');
const code = readAuthorizationAnswer(asked, location.searchParams);
if (!code.ok) throw new Error(explainAnswerProblem(code.problem, asked));
const tokens = await redeemCode({ asked, secrets, fetch }, code.value);

const access = { value: tokens.accessToken, untilMs: tokens.untilMs };
const auth = { stored: makeConsentAuth(asked), ask: () => Promise.resolve(ok(access)) };
await listAndCall(url, auth, admission);
