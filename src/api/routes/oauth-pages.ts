import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import {
  computeBrowserTagOfConsent,
  isBrowserTagOfConsent,
  openConsentIdInState,
} from '#adapters/secrets/consent-state.ts';
import { makeClientMetadata } from '#core/catalog/consent/client-metadata.ts';
import { makeAuthorizationUrl } from '#core/catalog/consent/consent.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { consentFailedHtml, consentGivenHtml, consentQuestionHtml } from '../html/consent-page.ts';
import { respondWithPage } from '../html/page-frame.ts';
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

/** The name of the cookie by which the browser is known again that has seen the page of a consent. */
const cookieNameOfConsent = (id: string): string => `sextant-${id}`;

/** The cookie goes back when the authorization server sends the person back (`lax`), to nobody else, and to no script. */
function cookieOptions(c: Context<ApiEnv>) {
  const secure = getDeploymentOAuthClient(c).origin.startsWith('https:');
  return { httpOnly: true, sameSite: 'lax', path: '/oauth', maxAge: 600, secure } as const;
}

/** The page that a person opens to consent. */
const addConsentPage: Endpoint = (api) =>
  void api.get('/oauth/consent', async (c) => {
    const opened = await decryptStateOfRequestOrNull(c);
    if (opened === null) return refuseWithPage(c, noSuchState);
    const { state, id } = opened;
    const question = await c.var.services.object('consent', id).readQuestion();
    if (!question.ok) return refuseWithPage(c, question.problem.detail);
    const tag = await computeBrowserTagOfConsent(c.var.services.settings.ENCRYPTION_KEY, id);
    setCookie(c, cookieNameOfConsent(id), tag, cookieOptions(c));
    const body = consentQuestionHtml(question.value, makeAuthorizationUrl(question.value, state));
    return respondWithPage(c, { title: 'Consent', body });
  });

/** Where authorization servers send people back to. */
const addOAuthCallback: Endpoint = (api) =>
  void api.get('/oauth/callback', async (c) => {
    const opened = await decryptStateOfRequestOrNull(c);
    if (opened === null) return refuseWithPage(c, noSuchState);
    const { id } = opened;
    const presented = getCookie(c, cookieNameOfConsent(id)) ?? '';
    const isSameBrowser = await isBrowserTagOfConsent(c.var.services.settings.ENCRYPTION_KEY, id, presented);
    deleteCookie(c, cookieNameOfConsent(id), cookieOptions(c));
    const taken = await c.var.services.object('consent', id).takeAnswer(new URL(c.req.url).search, isSameBrowser);
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

export const oauthPageEndpoints: readonly Endpoint[] = [addConsentPage, addOAuthCallback, addOAuthClientDocument];
