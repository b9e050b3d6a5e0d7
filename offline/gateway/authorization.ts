import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { importSPKI, jwtVerify } from 'jose';
import { z } from 'zod';
import { sendJson } from './http.ts';

/** A client that may ask for tokens: it proves who it is by a secret, or by assertions that its private key signs. */
export type OAuthClient = { readonly id: string; readonly scopes: readonly string[] } & (
  | { readonly secret: string; readonly method?: 'client_secret_basic' | 'client_secret_post' }
  | { readonly publicKey: string; readonly algorithm: string }
);

export interface AuthorizationOptions {
  /** The origin under which this is served. */
  readonly origin: string;
  readonly clients: readonly OAuthClient[];
  /** How long a token lives, in seconds. */
  readonly tokenSeconds: number;
  /** The scope that each protected path wants. */
  readonly scope: string;
}

interface Grant {
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly untilMs: number;
}

const basic = z.string().regex(/^Basic [A-Za-z0-9+/=]+$/i);
const bearer = /^Bearer ([\w.~+/-]+=*)$/i;
/** A longer life of an assertion is refused. */
const longestAssertionSeconds = 600;
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const place = '/authorization';

/** An error of RFC 6749, 5.2, or RFC 8707, 2. */
class TokenError extends Error {
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

/**
 * A small authorization server for machines (RFC 6749, 4.4; RFC 7523; RFC 8707) that describes itself (RFC 8414) and the paths that it
 * protects (RFC 9728). It refuses what these documents refuse. Its tokens are random, short-lived, and good for one path.
 */
export class Authorization {
  readonly #options: AuthorizationOptions;
  #clients: readonly OAuthClient[];
  readonly #grants = new Map<string, Grant>();
  readonly #usedAssertions = new Set<string>();
  #tokens = 0;
  #refusals = 0;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
    this.#clients = options.clients;
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
    this.revokeAll();
  }

  /** Withdraws all tokens. */
  revokeAll(): void {
    this.#grants.clear();
  }

  /** Answers a request for metadata or a token; false if it is none. */
  async answerIfOAuthRequest(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const { pathname } = new URL(request.url ?? '/', this.#options.origin);
    const protectedPath = /^\/\.well-known\/oauth-protected-resource(\/.+)$/.exec(pathname)?.[1];
    if (pathname === `/.well-known/oauth-authorization-server${place}`)
      sendJson(response, 200, this.#authorizationServerMetadata());
    else if (protectedPath !== undefined) sendJson(response, 200, this.#protectedResourceMetadata(protectedPath));
    else if (pathname === `${place}/token`) await this.#answerTokenRequest(request, response);
    else return false;
    return true;
  }

  /** Returns whether a request to a protected path has a good token; answers it otherwise. */
  admitOrAnswer401(request: IncomingMessage, response: ServerResponse): boolean {
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

  async #answerTokenRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('cache-control', 'no-store');
    try {
      sendJson(response, 200, await this.#makeTokenResponse(request));
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      const isClient = error.error === 'invalid_client';
      if (isClient && request.headers.authorization !== undefined)
        response.setHeader('www-authenticate', 'Basic realm="authorization"');
      sendJson(response, isClient ? 401 : 400, { error: error.error, error_description: error.message });
    }
  }

  async #makeTokenResponse(request: IncomingMessage): Promise<object> {
    const type = request.headers['content-type']?.split(';')[0];
    const body = await text(request);
    if (request.method !== 'POST') throw new TokenError('invalid_request', 'a token is asked for by POST');
    if (type !== 'application/x-www-form-urlencoded') throw new TokenError('invalid_request', 'the body is no form');
    const form = new URLSearchParams(body);
    for (const name of form.keys())
      if (form.getAll(name).length > 1) throw new TokenError('invalid_request', `${name} is given twice`);
    const client = await this.#authenticateClient(request, form);
    if (form.get('grant_type') !== 'client_credentials')
      throw new TokenError('unsupported_grant_type', 'only client_credentials');
    const resource = form.get('resource');
    if (resource === null || !resource.startsWith(`${this.#options.origin}/`))
      throw new TokenError('invalid_target', 'name the resource that the token is for');
    const scopes = form.get('scope')?.split(' ') ?? client.scopes;
    if (scopes.some((scope) => !client.scopes.includes(scope)))
      throw new TokenError('invalid_scope', `the client may have ${client.scopes.join(' ')}`);
    const { tokenSeconds } = this.#options;
    const token = this.grantToken(resource, scopes);
    return { access_token: token, token_type: 'Bearer', expires_in: tokenSeconds, scope: scopes.join(' ') };
  }

  /** Returns a new token for a resource. */
  grantToken(resource: string, scopes: readonly string[] = [this.#options.scope]): string {
    const token = randomBytes(32).toString('base64url');
    const nowMs = Date.now();
    for (const [old, { untilMs }] of this.#grants) if (untilMs <= nowMs) this.#grants.delete(old);
    this.#grants.set(token, { resource, scopes, untilMs: nowMs + this.#options.tokenSeconds * 1_000 });
    this.#tokens += 1;
    return token;
  }

  /** Returns the client that a request proves to come from; exactly one proof is allowed (RFC 6749, 2.3). */
  async #authenticateClient(request: IncomingMessage, form: URLSearchParams): Promise<OAuthClient> {
    const header = basic.safeParse(request.headers.authorization).data;
    const posted = form.get('client_secret');
    const assertion = form.get('client_assertion');
    if ([header, posted, assertion].filter((proof) => typeof proof === 'string').length > 1)
      throw new TokenError('invalid_request', 'more than one proof of the client');
    if (assertion !== null) return this.#authenticateByAssertion(assertion, form);
    const [id, secret] =
      header === undefined ? [form.get('client_id'), posted] : decodeBasic(header.slice('Basic '.length));
    const client = this.#clients.find((each) => each.id === id);
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

  async #authenticateByAssertion(assertion: string, form: URLSearchParams): Promise<OAuthClient> {
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

const authMethodOfClient = (client: OAuthClient): string =>
  'secret' in client ? (client.method ?? 'client_secret_basic') : 'private_key_jwt';

/** Id and secret are form-encoded before they are joined (RFC 6749, 2.3.1). */
const decodeBasic = (encoded: string): (string | null)[] => {
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString().split(':');
  return [id ?? '', secret.join(':')].map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
};

function isEqualInConstantTime(secret: string, given: string | null | undefined): boolean {
  const [known, tried] = [Buffer.from(secret), Buffer.from(given ?? '')];
  return known.length === tried.length && timingSafeEqual(known, tried);
}
