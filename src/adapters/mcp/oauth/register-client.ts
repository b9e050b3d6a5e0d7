import { z } from 'zod';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { ClientMethod } from '#core/catalog/consent/consent.ts';
import { makeClientMetadata, redirectUriOf } from '#core/catalog/consent/client-metadata.ts';
import { readJsonOrNull } from './read-json.ts';
import {
  isBusyOrServerErrorStatus,
  OAuthRefusal,
  makeBusyRefusal,
  printableErrorCode,
  printableStatedText,
} from './refusal.ts';

/** A client as an authorization server has registered it. */
interface RegisteredClient {
  readonly clientId: string;
  readonly clientMethod: ClientMethod;
  readonly clientSecret: string | null;
}

interface Registration {
  readonly issuer: string;
  readonly endpoint: string;
  /** The ways to prove who a client is that the authorization server names; undefined if it names none. */
  readonly methods: readonly string[] | undefined;
  readonly scope: string | null;
}

/** The strongest first: a deployment can keep a secret. */
const preferred: readonly ClientMethod[] = ['client_secret_basic', 'client_secret_post', 'none'];

const answer = z.object({
  client_id: z.string().regex(/^[\x20-\x7E]{1,2000}$/),
  client_secret: z
    .string()
    .regex(/^[\x20-\x7E]{1,4000}$/)
    .optional(),
  token_endpoint_auth_method: z.string().optional(),
});
const refused = z.object({ error: z.string() });

const meanings: Readonly<Record<string, string>> = {
  invalid_redirect_uri: 'it does not send people back to this address',
  invalid_client_metadata: 'it does not take what Sextant says of itself',
};

/** Registers the deployment at an authorization server (RFC 7591). Throws an OAuthRefusal that says why it is not registered. */
export async function registerClient(
  { issuer, endpoint, methods, scope }: Registration,
  origin: string,
  fetch: FetchLike,
): Promise<RegisteredClient> {
  const who = `the authorization server ${printableStatedText(issuer)}`;
  // Without metadata a secret by HTTP Basic (RFC 8414, 2).
  const method = preferred.find((each) => (methods ?? ['client_secret_basic']).includes(each)) ?? 'none';
  const metadata = { ...makeClientMetadata(origin, method), ...(scope === null ? {} : { scope }) };
  const response = await post(endpoint, metadata, who, fetch);
  if (isBusyOrServerErrorStatus(response.status)) {
    await response.body?.cancel();
    throw makeBusyRefusal(who, response.status);
  }
  const body = await readJsonOrNull(response);
  if (!response.ok) {
    const code = refused.safeParse(body).data?.error;
    const reason = code === undefined ? `HTTP status ${response.status}` : printableErrorCode(code);
    const meaning = meanings[code ?? ''] ?? 'it refuses';
    throw new OAuthRefusal(
      'http-status',
      `${who} does not register Sextant (${reason}): ${meaning}; ${howToRegisterText(origin)}`,
      401,
    );
  }
  const read = answer.safeParse(body);
  if (!read.success)
    throw new OAuthRefusal('malformed-protocol', `${who} did not register Sextant in the form of RFC 7591`);
  const { client_id: clientId, client_secret: secret = null, token_endpoint_auth_method: stated } = read.data;
  const clientMethod = preferred.find((each) => each === stated) ?? (secret === null ? 'none' : 'client_secret_basic');
  if (clientMethod !== 'none' && secret === null)
    throw new OAuthRefusal('malformed-protocol', `${who} registered Sextant with a secret that it does not say`);
  return { clientId, clientMethod, clientSecret: clientMethod === 'none' ? null : secret };
}

/** Says how a person registers the deployment. */
export const howToRegisterText = (origin: string): string =>
  `register Sextant there by hand, with the redirect address ${redirectUriOf(origin)}, and give the client (clientId and clientSecret; \`--client-id\` and \`--client-secret-env\`)`;

async function post(endpoint: string, metadata: unknown, who: string, fetch: FetchLike): Promise<Response> {
  try {
    return await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(metadata),
      redirect: 'manual',
    });
  } catch (error) {
    const guard = findGuardError(error);
    if (guard === undefined || guard.code === 'address-forbidden') throw error;
    throw new OAuthRefusal('unreachable', `${who} cannot be reached: ${guard.message}`);
  }
}
