import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { sendJson } from './http.ts';
import { readForm, throwIfParameterRepeated, TokenError, type OAuthClient } from './oauth-forms.ts';

/** What people are offered by an authorization server. */
export interface PeopleOptions {
  /** How clients become known that nobody has registered before: by registration, by documents of their own, or both. */
  readonly registers?: boolean;
  readonly takesDocuments?: boolean;
  /** Reads a client's document; without it, by the network. */
  readonly readDocument?: (url: string) => Promise<Response>;
  /** Whether answers say who gives them (RFC 9207); default true. */
  readonly sendsIssuer?: boolean;
  /** Whether tokens can be renewed; default true. */
  readonly renews?: boolean;
  /** How long a code lives; default 30 seconds. */
  readonly codeSeconds?: number;
}

/** What `People` needs of the authorization server. */
interface Desk {
  readonly origin: string;
  readonly issuer: string;
  readonly scope: string;
  readonly findClient: (id: string) => OAuthClient | undefined;
  /** Withdraws the access tokens of a family. */
  readonly endFamily: (family: string) => void;
}

/** An authorization request as it was admitted. */
interface Asked {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly challenge: string;
  readonly resource: string;
  readonly scopes: readonly string[];
}

interface Code extends Asked {
  readonly family: string;
  readonly untilMs: number;
  used: boolean;
}

interface RefreshToken {
  readonly client: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly family: string;
  used: boolean;
}

/** What a code or a refresh token is exchanged for. */
interface Redeemed {
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly family: string;
  readonly refreshToken: string | null;
}

/** What a client says of itself (RFC 7591, 2; draft-ietf-oauth-client-id-metadata-document, 4.1). */
const clientMetadata = z.looseObject({
  client_name: z.string(),
  redirect_uris: z.array(z.url()).min(1),
  grant_types: z.array(z.string()).default(['authorization_code']),
  response_types: z.array(z.string()).default(['code']),
  token_endpoint_auth_method: z.enum(['none', 'client_secret_basic', 'client_secret_post']),
  application_type: z.enum(['web', 'native']),
});
const longestDocument = 5 * 1024;
const makeRandomText = (): string => randomBytes(24).toString('base64url');

/** An authorization request that is answered with a page, because nobody knows where its answer would go. */
class PageError extends Error {}

/**
 * Consent of people at the stand-in's authorization server: the authorization endpoint with its page, codes with PKCE, refresh tokens that
 * are used once, and clients that register or describe themselves. It refuses what OAuth 2.1, RFC 7591, 7636, 8707 and 9700 refuse.
 */
export class People {
  readonly #options: PeopleOptions;
  readonly #desk: Desk;
  readonly #registered = new Map<string, OAuthClient>();
  readonly #asked = new Map<string, Asked>();
  readonly #codes = new Map<string, Code>();
  readonly #refreshTokens = new Map<string, RefreshToken>();
  readonly #ended = new Set<string>();
  readonly #given = new Set<string>();

  constructor(options: PeopleOptions, desk: Desk) {
    this.#options = options;
    this.#desk = desk;
  }

  /** How many clients have registered, and how many consents were withdrawn or ended because a token was used twice. */
  get counts(): { readonly registered: number; readonly ended: number } {
    return { registered: this.#registered.size, ended: this.#ended.size };
  }

  /** All codes, refresh tokens and secrets of clients that were ever given, for tests that look where they are. */
  get given(): ReadonlySet<string> {
    return this.#given;
  }

  /** What the metadata of the authorization server say of it. */
  makeOAuthMetadata(): object {
    const { registers, takesDocuments, sendsIssuer = true, renews = true } = this.#options;
    const { issuer } = this.#desk;
    return {
      authorization_endpoint: `${issuer}/authorize`,
      revocation_endpoint: `${issuer}/revoke`,
      grant_types_supported: ['client_credentials', 'authorization_code', ...(renews ? ['refresh_token'] : [])],
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
      ...(sendsIssuer ? { authorization_response_iss_parameter_supported: true } : {}),
      ...(registers === true ? { registration_endpoint: `${issuer}/register` } : {}),
      ...(takesDocuments === true ? { client_id_metadata_document_supported: true } : {}),
    };
  }

  /** Answers what a browser asks, and requests to register. */
  async answerOAuthRequest(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (path === '/authorize') await this.#askPerson(request, response);
    else if (path === '/decide') await this.#handleDecision(request, response);
    else if (path === '/register' && this.#options.registers === true) await this.#registerClient(request, response);
    else sendJson(response, 404, { error: 'Not found' });
  }

  async findClient(id: string): Promise<OAuthClient | undefined> {
    const known = this.#desk.findClient(id) ?? this.#registered.get(id);
    if (known !== undefined || this.#options.takesDocuments !== true || !id.startsWith('https:')) return known;
    return this.#fetchClientByDocument(id);
  }

  /** Ends everything that one consent gave. */
  endConsent(family: string): void {
    this.#ended.add(family);
    this.#desk.endFamily(family);
  }

  tokenFamilyOf(refreshToken: string): string | undefined {
    return this.#refreshTokens.get(refreshToken)?.family;
  }

  /** Ends all consents, as people do who look through the list of what they have allowed. */
  endAllConsents(): void {
    for (const { family } of this.#refreshTokens.values()) this.endConsent(family);
  }

  /** Exchanges a code or a refresh token. What is used twice ends the consent (RFC 6749, 4.1.2; RFC 9700, 4.14.2). */
  redeemCodeOrRefreshToken(client: OAuthClient, form: URLSearchParams): Redeemed {
    return form.get('grant_type') === 'refresh_token'
      ? this.#redeemRefreshToken(client, form)
      : this.#redeemCode(client, form);
  }

  #redeemCode(client: OAuthClient, form: URLSearchParams): Redeemed {
    const code = this.#codes.get(form.get('code') ?? '');
    if (code === undefined || code.client.id !== client.id) throw new TokenError('invalid_grant', 'no such code');
    if (code.used) {
      this.endConsent(code.family);
      throw new TokenError('invalid_grant', 'the code was used before');
    }
    code.used = true;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code.untilMs <= Date.now()) throw new TokenError('invalid_grant', 'the code is too old');
    if (form.get('redirect_uri') !== code.redirectUri) throw new TokenError('invalid_grant', 'another redirect_uri');
    if (challenge !== code.challenge) throw new TokenError('invalid_grant', 'another code_verifier');
    this.#throwIfOtherResource(form, code);
    return this.#makeGrantWithNewRefreshToken(client, code);
  }

  #redeemRefreshToken(client: OAuthClient, form: URLSearchParams): Redeemed {
    const token = this.#refreshTokens.get(form.get('refresh_token') ?? '');
    if (token === undefined || token.client !== client.id || this.#ended.has(token.family))
      throw new TokenError('invalid_grant', 'no such refresh token');
    if (token.used) {
      this.endConsent(token.family);
      throw new TokenError('invalid_grant', 'the refresh token was used before');
    }
    this.#throwIfOtherResource(form, token);
    token.used = true;
    return this.#makeGrantWithNewRefreshToken(client, token);
  }

  #throwIfOtherResource(form: URLSearchParams, { resource }: Pick<Asked, 'resource'>): void {
    if (form.get('resource') !== resource) throw new TokenError('invalid_target', 'another resource');
  }

  #makeGrantWithNewRefreshToken(
    client: OAuthClient,
    { resource, scopes, family }: Pick<Code, 'resource' | 'scopes' | 'family'>,
  ): Redeemed {
    const refreshToken = this.#options.renews === false ? null : this.#makeSecret();
    if (refreshToken !== null)
      this.#refreshTokens.set(refreshToken, { client: client.id, resource, scopes, family, used: false });
    return { resource, scopes, family, refreshToken };
  }

  #makeSecret(): string {
    const secret = makeRandomText();
    this.#given.add(secret);
    return secret;
  }

  async #askPerson(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams: query } = new URL(request.url ?? '', this.#desk.origin);
    let back: Pick<Asked, 'redirectUri' | 'state'> | undefined;
    try {
      const client = await this.findClient(query.get('client_id') ?? '');
      const redirectUri = query.get('redirect_uri') ?? '';
      if (client?.redirectUris?.includes(redirectUri) !== true || query.getAll('redirect_uri').length > 1)
        throw new PageError('no such client, or not with this address to send people back to');
      back = { redirectUri, state: query.get('state') };
      const asked = this.#parseAuthorizationRequest(client, redirectUri, query);
      const id = makeRandomText();
      this.#asked.set(id, asked);
      sendPage(response, 200, consentPage(id, asked));
    } catch (error) {
      if (error instanceof PageError) return sendPage(response, 400, escapeHtml(error.message));
      if (!(error instanceof TokenError) || back === undefined) throw error;
      this.#redirectToClient(response, back, { error: error.error, error_description: error.message });
    }
  }

  #parseAuthorizationRequest(client: OAuthClient, redirectUri: string, query: URLSearchParams): Asked {
    throwIfParameterRepeated(query);
    if (query.get('response_type') !== 'code') throw new TokenError('unsupported_response_type', 'only code');
    const challenge = query.get('code_challenge') ?? '';
    if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
      throw new TokenError('invalid_request', 'PKCE with S256 is required');
    const resource = query.get('resource');
    if (resource === null || !resource.startsWith(`${this.#desk.origin}/`))
      throw new TokenError('invalid_target', 'name the resource that the token is for');
    const scopes = query.get('scope')?.split(' ') ?? [this.#desk.scope];
    if (scopes.some((scope) => !client.scopes.includes(scope)))
      throw new TokenError('invalid_scope', `the client may have ${client.scopes.join(' ')}`);
    return { client, redirectUri, state: query.get('state'), challenge, resource, scopes };
  }

  /** Takes what the person has decided on the page. */
  async #handleDecision(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    const id = form.get('request') ?? '';
    const asked = this.#asked.get(id);
    if (asked === undefined) return sendPage(response, 400, 'nothing was asked');
    this.#asked.delete(id);
    if (form.get('decision') !== 'allow')
      return this.#redirectToClient(response, asked, {
        error: 'access_denied',
        error_description: 'the person said no',
      });
    const code = this.#makeSecret();
    const { codeSeconds = 30 } = this.#options;
    const untilMs = Date.now() + codeSeconds * 1_000;
    this.#codes.set(code, { ...asked, family: makeRandomText(), untilMs, used: false });
    this.#redirectToClient(response, asked, { code });
  }

  #redirectToClient(
    response: ServerResponse,
    { redirectUri, state }: Pick<Asked, 'redirectUri' | 'state'>,
    answer: Readonly<Record<string, string>>,
  ): void {
    const url = new URL(redirectUri);
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    if (state !== null) url.searchParams.set('state', state);
    if (this.#options.sendsIssuer !== false) url.searchParams.set('iss', this.#desk.issuer);
    response.writeHead(303, { location: url.href, 'cache-control': 'no-store' }).end();
  }

  /** Registers a client (RFC 7591, 3). */
  async #registerClient(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = clientMetadata.safeParse(JSON.parse(await text(request)));
    if (!read.success) return sendJson(response, 400, { error: 'invalid_client_metadata' });
    const { redirect_uris: redirectUris, token_endpoint_auth_method: method, application_type: type } = read.data;
    if (!redirectUris.every((uri) => isAllowedRedirectUri(uri, type)))
      return sendJson(response, 400, { error: 'invalid_redirect_uri' });
    const shared = { id: `registered-${makeRandomText()}`, scopes: [this.#desk.scope, 'offline_access'], redirectUris };
    const secret = this.#makeSecret();
    this.#registered.set(shared.id, method === 'none' ? { ...shared, isPublic: true } : { ...shared, secret, method });
    const proof = method === 'none' ? {} : { client_secret: secret, client_secret_expires_at: 0 };
    sendJson(response, 201, { ...read.data, client_id: shared.id, ...proof });
  }

  /** Reads the document of a client whose id is its address. */
  async #fetchClientByDocument(id: string): Promise<OAuthClient | undefined> {
    const url = URL.parse(id);
    if (url === null || url.href !== id || url.pathname === '/' || url.hash !== '' || url.username !== '')
      return undefined;
    const read = this.#options.readDocument ?? ((address) => fetch(address, { redirect: 'error' }));
    const answer = await read(id);
    const body = await answer.text();
    if (!answer.ok || body.length > longestDocument) return undefined;
    const document = clientMetadata.extend({ client_id: z.literal(id) }).safeParse(JSON.parse(body)).data;
    if (document === undefined || document.token_endpoint_auth_method !== 'none' || 'client_secret' in document)
      return undefined;
    const scopes = [this.#desk.scope, 'offline_access'];
    return { id, scopes, redirectUris: document.redirect_uris, isPublic: true };
  }
}

/** Applications on the web are sent back to over TLS, others to the person's own machine (OpenID Connect Registration, 2). */
function isAllowedRedirectUri(uri: string, type: 'web' | 'native'): boolean {
  const { protocol, hostname, hash } = new URL(uri);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return hash === '' && (type === 'web' ? protocol === 'https:' && !isLoopback : protocol === 'http:' && isLoopback);
}

const escapeHtml = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const consentPage = (id: string, { client, scopes, resource, redirectUri }: Asked): string => `
  <h1>May ${escapeHtml(client.id)} use ${escapeHtml(resource)} as you?</h1>
  <p>Scope: ${escapeHtml(scopes.join(' '))}. You will be sent back to ${escapeHtml(new URL(redirectUri).hostname)}.</p>
  <form method="post" action="decide">
    <input type="hidden" name="request" value="${id}" />
    <button name="decision" value="allow">Allow</button>
    <button name="decision" value="deny">Refuse</button>
  </form>`;

function sendPage(response: ServerResponse, status: number, body: string): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  };
  response.writeHead(status, headers).end(`<!doctype html><title>Consent</title>${body}`);
}
