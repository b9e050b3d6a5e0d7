import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import {
  computeConsentBrowserTag,
  computeConsentFormToken,
  isConsentFormToken,
  newConsentNonce,
  openConsentIdInState,
} from '#adapters/secrets/consent-state.ts';
import { makeClientMetadata } from '#core/catalog/consent/client-metadata.ts';
import { makeAuthorizationUrl } from '#core/catalog/consent/consent.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { consentFailedHtml, consentGivenHtml, consentQuestionHtml } from '../html/consent-page.ts';
import { pageHeaders, respondWithPage } from '../html/page-frame.ts';
import { consentPagePath } from '../middleware/check-small-body.ts';
import { getDeploymentOAuthClient } from '../own-client.ts';
import { refusal } from '../problem.ts';

const longestQuery = 16_000;

/** Returns the state of a request and the id of its consent; null if the deployment has not made it. */
async function decryptStateOfRequestOrNull(
  c: Context<ApiEnv>,
): Promise<{ readonly state: string; readonly id: string } | null> {
  const { search, searchParams } = new URL(c.req.url);
  const [state = '', ...others] = searchParams.getAll('state');
  if (others.length > 0 || search.length > longestQuery) return null;
  const id = await openConsentIdInState(c.var.services.settings.ENCRYPTION_KEY, state);
  return id === null ? null : { state, id };
}

const refuseWithPage = (c: Context<ApiEnv>, problem: string): Response | Promise<Response> =>
  respondWithPage(c, { title: 'No access', body: consentFailedHtml(problem) }, 400);

const noSuchState = 'this address belongs to no consent that Sextant has asked for';

/**
 * The cookies of a consent. `page` is set whenever its page is loaded, so that only this browser can send the form of the page as loaded.
 * `callback` is set when a person has continued from there, and comes back with the answer of the authorization server.
 */
const cookies = { page: { sameSite: 'Strict' }, callback: { sameSite: 'Lax' } } as const;
type CookieKind = keyof typeof cookies;

const cookieName = (kind: CookieKind, id: string): string => `sextant-${kind}-${id}`;

/** The cookies of TLS are those of this host alone, so that no neighbour in the same domain can plant one. */
const isOverTls = (c: Context<ApiEnv>): boolean => getDeploymentOAuthClient(c).origin.startsWith('https:');

const readCookie = (c: Context<ApiEnv>, kind: CookieKind, id: string): string =>
  getCookie(c, cookieName(kind, id), isOverTls(c) ? 'host' : undefined) ?? '';

/** Has the browser keep a nonce for as long as a consent may wait; forgets it if there is none. No script can read it. */
function keepCookie(c: Context<ApiEnv>, kind: CookieKind, id: string, nonce: string | null): void {
  const secure = isOverTls(c);
  setCookie(c, cookieName(kind, id), nonce ?? '', {
    ...cookies[kind],
    ...(secure ? { prefix: 'host' as const } : {}),
    httpOnly: true,
    path: '/',
    maxAge: nonce === null ? 0 : 600,
    secure,
  });
}

/** Answers with the page that a person reads, for this loading of it alone. */
async function respondWithQuestion(
  c: Context<ApiEnv>,
  { state, id }: { readonly state: string; readonly id: string },
  problem: string | null,
): Promise<Response> {
  const question = await c.var.services.object('consent', id).readQuestion();
  if (!question.ok) return refuseWithPage(c, question.problem.detail);
  const nonce = newConsentNonce();
  const token = await computeConsentFormToken(c.var.services.settings.ENCRYPTION_KEY, id, nonce);
  keepCookie(c, 'page', id, nonce);
  const action = `${consentPagePath}?${new URLSearchParams({ state }).toString()}`;
  // Browsers hold all redirects after a form against its policy, and an authorization server may send people to a third one.
  const formAction = `'self' ${new URL(question.value.authorizationEndpoint).protocol}`;
  const body = consentQuestionHtml(question.value, { action, token, problem });
  return respondWithPage(c, { title: 'Consent', body, formAction }, problem === null ? 200 : 400);
}

/** The page that a person opens to consent. */
const addConsentPage: Endpoint = (api) =>
  void api.get(consentPagePath, async (c) => {
    const opened = await decryptStateOfRequestOrNull(c);
    return opened === null ? refuseWithPage(c, noSuchState) : respondWithQuestion(c, opened, null);
  });

/** Where a person continues from that page to the authorization server. */
const addConsentForm: Endpoint = (api) =>
  void api.post(consentPagePath, async (c) => {
    const opened = await decryptStateOfRequestOrNull(c);
    if (opened === null) return refuseWithPage(c, noSuchState);
    const { state, id } = opened;
    const { ENCRYPTION_KEY: key } = c.var.services.settings;
    const { token } = await c.req.parseBody();
    const nonce = readCookie(c, 'page', id);
    if (!(await isConsentFormToken(key, id, nonce, typeof token === 'string' ? token : '')))
      return respondWithQuestion(c, opened, 'the page that you came from is not the one that this browser opened last');
    const browser = await computeConsentBrowserTag(key, id, nonce);
    const continued = await c.var.services.object('consent', id).continueFromPage(browser);
    if (!continued.ok) return respondWithQuestion(c, opened, continued.problem.detail);
    keepCookie(c, 'page', id, null);
    keepCookie(c, 'callback', id, nonce);
    for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
    return c.redirect(makeAuthorizationUrl(continued.value, state), 303);
  });

/** Where authorization servers send people back to. */
const addOAuthCallback: Endpoint = (api) =>
  void api.get('/oauth/callback', async (c) => {
    const opened = await decryptStateOfRequestOrNull(c);
    if (opened === null) return refuseWithPage(c, noSuchState);
    const { id } = opened;
    const { ENCRYPTION_KEY: key } = c.var.services.settings;
    const browser = await computeConsentBrowserTag(key, id, readCookie(c, 'callback', id));
    keepCookie(c, 'callback', id, null);
    const taken = await c.var.services.object('consent', id).takeAnswer(new URL(c.req.url).search, browser);
    if (!taken.ok) return refuseWithPage(c, taken.problem);
    return respondWithPage(c, { title: 'Access', body: consentGivenHtml(taken.value) });
  });

/** What the deployment says of itself to authorization servers (draft-ietf-oauth-client-id-metadata-document). */
const addOAuthClientDocument: Endpoint = (api) =>
  void api.get('/oauth/client.json', (c) => {
    const { origin, documentUrl } = getDeploymentOAuthClient(c);
    if (documentUrl === null)
      throw refusal(
        'not-found',
        'authorization servers can read the document only at a public https address (PUBLIC_ORIGIN)',
      );
    c.header('cache-control', 'public, max-age=3600');
    return c.json({ client_id: documentUrl, ...makeClientMetadata(origin, 'none') });
  });

export const oauthPageEndpoints: readonly Endpoint[] = [
  addConsentPage,
  addConsentForm,
  addOAuthCallback,
  addOAuthClientDocument,
];
