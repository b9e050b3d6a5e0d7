import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { importSPKI, jwtVerify } from 'jose';
import { z } from 'zod';
import { sendJson } from './http.ts';
import { readForm, TokenError, type OAuthClient } from './oauth-forms.ts';
import { People, type PeopleOptions } from './people.ts';

export interface AuthorizationOptions {
  /** The origin under which this is served. */
  readonly origin: string;
  readonly clients: readonly OAuthClient[];
  /** How long a token lives, in seconds. */
  readonly tokenSeconds: number;
  /** The scope that each protected path wants. */
  readonly scope: string;
  /** How people consent; without it only machines get tokens. */
  readonly people?: PeopleOptions;
}

interface Grant {
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly untilMs: number;
  /** What was granted together by one consent. */
  readonly family: string | null;
}

const basic = z.string().regex(/^Basic [A-Za-z0-9+/=]+$/i);
const bearer = /^Bearer ([\w.~+/-]+=*)$/i;
/** A longer life of an assertion is refused. */
const longestAssertionSeconds = 600;
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const place = '/authorization';

/**
 * A small authorization server for machines (RFC 6749, 4.4; RFC 7523; RFC 8707) and, if so told, for people (`People`), that describes
 * itself (RFC 8414) and the paths that it protects (RFC 9728). It refuses what these documents refuse. Its tokens are random, short-lived,
 * and good for one path.
 */
export class Authorization {
  readonly #options: AuthorizationOptions;
  #clients: readonly OAuthClient[];
  readonly #grants = new Map<string, Grant>();
  readonly #usedAssertions = new Set<string>();
  readonly people: People | null;
  #tokens = 0;
  #refusals = 0;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
    this.#clients = options.clients;
    const { people, scope } = options;
    this.people =
      people === undefined
        ? null
        : new People(people, {
            origin: options.origin,
            issuer: this.issuer,
            scope,
            findClient: (id) => this.#clients.find((client) => client.id === id),
            endFamily: (family) => this.#endFamily(family),
          });
  }

  get issuer(): string {
    return `${this.#options.origin}${place}`;
  }

  /** How many tokens were given, and how many requests lacked a good one. */
  get counts(): { readonly tokens: number; readonly refusals: number } {
    return { tokens: this.#tokens, refusals: this.#refusals };
  }

  /** Knows other clients from now on, and withdraws all tokens. */
  replaceClientsAndRevokeTokens(clients: readonly OAuthClient[]): void {
    this.#clients = clients;
    this.revokeAllTokens();
  }

  /** Withdraws all tokens. */
  revokeAllTokens(): void {
    this.#grants.clear();
  }

  #endFamily(family: string): void {
    for (const [token, grant] of this.#grants) if (grant.family === family) this.#grants.delete(token);
  }

  /** Answers a request for metadata or a token; false if it is none. */
  async answerIfOAuthRequest(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { pathname } = new URL(request.url ?? '/', this.#options.origin);
    const protectedPath = /^\/\.well-known\/oauth-protected-resource(\/.+)$/.exec(pathname)?.[1];
    if (pathname === `/.well-known/oauth-authorization-server${place}`)
      sendJson(response, 200, this.#authorizationServerMetadata());
    else if (protectedPath !== undefined) sendJson(response, 200, this.#protectedResourceMetadata(protectedPath));
    else if (pathname === `${place}/token`) await this.#answerTokenRequest(request, response);
    else if (pathname === `${place}/revoke` && this.people !== null)
      await this.#sendResultOrTokenError(response, async () => this.#revoke(await readForm(request), request));
    else if (pathname.startsWith(`${place}/`) && this.people !== null)
      await this.people.answerOAuthRequest(pathname.slice(place.length), request, response);
    else return false;
    return true;
  }

  /** Returns whether a request to a protected path has a good token; answers it otherwise. */
  admitOrAnswer401Or403(request: IncomingMessage, response: ServerResponse): boolean {
    const { pathname } = new URL(request.url ?? '/', this.#options.origin);
    const token = bearer.exec(request.headers.authorization ?? '')?.[1];
    const grant = token === undefined ? undefined : this.#grants.get(token);
    const { scope } = this.#options;
    const isGood =
      grant !== undefined && grant.untilMs > Date.now() && grant.resource === this.#resourceUrlOfPath(pathname);
    if (isGood && grant.scopes.includes(scope)) return true;
    this.#refusals += 1;
    request.resume();
    const problem = token === undefined ? '' : `error="${isGood ? 'insufficient_scope' : 'invalid_token'}", `;
    const metadata = `${this.#options.origin}/.well-known/oauth-protected-resource${pathname}`;
    response.setHeader('www-authenticate', `Bearer ${problem}resource_metadata="${metadata}", scope="${scope}"`);
    sendJson(response, isGood ? 403 : 401, { error: isGood ? 'insufficient_scope' : 'invalid_token' });
    return false;
  }

  #resourceUrlOfPath(path: string): string {
    return `${this.#options.origin}${path}`;
  }

  #authorizationServerMetadata() {
    return {
      issuer: this.issuer,
      token_endpoint: `${this.issuer}/token`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: [...new Set(this.#clients.map(authMethodOfClient))],
      token_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'EdDSA'],
      ...this.people?.makeOAuthMetadata(),
    };
  }

  #protectedResourceMetadata(path: string) {
    return {
      resource: this.#resourceUrlOfPath(path),
      authorization_servers: [this.issuer],
      scopes_supported: [this.#options.scope],
      bearer_methods_supported: ['header'],
    };
  }

  #answerTokenRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#sendResultOrTokenError(response, async () =>
      this.#makeTokenResponse(await readForm(request), request),
    );
  }

  async #sendResultOrTokenError(response: ServerResponse, act: () => Promise<object>): Promise<void> {
    response.setHeader('cache-control', 'no-store');
    try {
      sendJson(response, 200, await act());
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      const isClient = error.error === 'invalid_client';
      if (isClient && response.req.headers.authorization !== undefined)
        response.setHeader('www-authenticate', 'Basic realm="authorization"');
      sendJson(response, isClient ? 401 : 400, { error: error.error, error_description: error.message });
    }
  }

  async #makeTokenResponse(form: URLSearchParams, request: IncomingMessage): Promise<object> {
    const client = await this.#authenticateClientOrThrow(request, form);
    const type = form.get('grant_type');
    if (type === 'client_credentials') return this.#grantToMachine(client, form);
    if (this.people === null || (type !== 'authorization_code' && type !== 'refresh_token'))
      throw new TokenError('unsupported_grant_type', 'only client_credentials');
    const { resource, scopes, family, refreshToken } = this.people.redeemCodeOrRefreshToken(client, form);
    return {
      ...this.#makeTokenResponseFields(this.grantTokenForResource(resource, scopes, family), scopes),
      ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    };
  }

  #grantToMachine(client: OAuthClient, form: URLSearchParams): object {
    if ('isPublic' in client || client.redirectUris !== undefined)
      throw new TokenError('unauthorized_client', 'the client is no machine');
    const resource = form.get('resource');
    if (resource === null || !resource.startsWith(`${this.#options.origin}/`))
      throw new TokenError('invalid_target', 'name the resource that the token is for');
    const scopes = form.get('scope')?.split(' ') ?? client.scopes;
    if (scopes.some((scope) => !client.scopes.includes(scope)))
      throw new TokenError('invalid_scope', `the client may have ${client.scopes.join(' ')}`);
    return this.#makeTokenResponseFields(this.grantTokenForResource(resource, scopes), scopes);
  }

  #makeTokenResponseFields(token: string, scopes: readonly string[]): object {
    const { tokenSeconds } = this.#options;
    return { access_token: token, token_type: 'Bearer', expires_in: tokenSeconds, scope: scopes.join(' ') };
  }

  /** Revokes a token and all that was granted with it; an unknown one is no error (RFC 7009, 2.2). */
  async #revoke(form: URLSearchParams, request: IncomingMessage): Promise<object> {
    await this.#authenticateClientOrThrow(request, form);
    const token = form.get('token');
    if (token === null) throw new TokenError('invalid_request', 'name the token');
    const family = this.#grants.get(token)?.family ?? this.people?.tokenFamilyOf(token) ?? null;
    if (family === null) this.#grants.delete(token);
    else this.people?.endConsent(family);
    return {};
  }

  /** Returns a new token for a resource. */
  grantTokenForResource(
    resource: string,
    scopes: readonly string[] = [this.#options.scope],
    family: string | null = null,
  ): string {
    const token = randomBytes(32).toString('base64url');
    const nowMs = Date.now();
    for (const [old, { untilMs }] of this.#grants) if (untilMs <= nowMs) this.#grants.delete(old);
    this.#grants.set(token, { resource, scopes, family, untilMs: nowMs + this.#options.tokenSeconds * 1_000 });
    this.#tokens += 1;
    return token;
  }

  /** Returns the client that a request proves to come from; exactly one proof is allowed (RFC 6749, 2.3). */
  async #authenticateClientOrThrow(request: IncomingMessage, form: URLSearchParams): Promise<OAuthClient> {
    const header = basic.safeParse(request.headers.authorization).data;
    const posted = form.get('client_secret');
    const assertion = form.get('client_assertion');
    if ([header, posted, assertion].filter((proof) => typeof proof === 'string').length > 1)
      throw new TokenError('invalid_request', 'more than one proof of the client');
    if (assertion !== null) return this.#authenticateAssertionOrThrow(assertion, form);
    const [id, secret] =
      header === undefined ? [form.get('client_id'), posted] : decodeBasicToIdAndSecret(header.slice('Basic '.length));
    const client = await this.#findClient(id ?? '');
    if (client !== undefined && 'isPublic' in client && header === undefined && posted === null) return client;
    const method = header === undefined ? 'client_secret_post' : 'client_secret_basic';
    if (
      client === undefined ||
      !('secret' in client) ||
      authMethodOfClient(client) !== method ||
      !isEqualInConstantTime(client.secret, secret)
    )
      throw new TokenError('invalid_client', 'no such client, or not with this proof');
    return client;
  }

  async #findClient(id: string): Promise<OAuthClient | undefined> {
    return this.people === null ? this.#clients.find((each) => each.id === id) : this.people.findClient(id);
  }

  async #authenticateAssertionOrThrow(assertion: string, form: URLSearchParams): Promise<OAuthClient> {
    const client = this.#clients.find(({ id }) => id === form.get('client_id'));
    if (form.get('client_assertion_type') !== assertionType || client === undefined || !('publicKey' in client))
      throw new TokenError('invalid_client', 'no such client, or not with this proof');
    const key = await importSPKI(client.publicKey, client.algorithm);
    const options = {
      algorithms: [client.algorithm],
      issuer: client.id,
      subject: client.id,
      audience: [this.issuer, `${this.issuer}/token`],
      requiredClaims: ['exp', 'jti'],
    };
    const { payload } = await jwtVerify(assertion, key, options).catch((error: unknown) => {
      throw new TokenError('invalid_client', error instanceof Error ? error.message : 'the assertion is wrong');
    });
    const { jti = '', exp = 0 } = payload;
    if (exp - Date.now() / 1_000 > longestAssertionSeconds || this.#usedAssertions.has(jti))
      throw new TokenError('invalid_client', 'the assertion lives too long or was used before');
    this.#usedAssertions.add(jti);
    return client;
  }
}

function authMethodOfClient(client: OAuthClient): string {
  if ('isPublic' in client) return 'none';
  return 'secret' in client ? (client.method ?? 'client_secret_basic') : 'private_key_jwt';
}

/** Id and secret are form-encoded before they are joined (RFC 6749, 2.3.1). */
const decodeBasicToIdAndSecret = (encoded: string): (string | null)[] => {
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString().split(':');
  return [id ?? '', secret.join(':')].map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
};

function isEqualInConstantTime(secret: string, given: string | null | undefined): boolean {
  const [known, tried] = [Buffer.from(secret), Buffer.from(given ?? '')];
  return known.length === tried.length && timingSafeEqual(known, tried);
}
