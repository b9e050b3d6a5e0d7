import { z } from 'zod';

const clientId = z.string().min(1).max(500);
/** Scopes, one space between them (RFC 6749, 3.3). */
const scope = z
  .string()
  .max(1_000)
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/, 'scopes with one space between them');
const issuer = z.url({ protocol: /^https?$/ }).max(2_000);

const part = z.string().min(1).max(2_000);
const optionalPart = part.exactOptional();

/** A private key as JSON (RFC 7517, 7518, 8037). What it says of its use does not count: the algorithm is given beside it. */
export const privateJwk = z.object({
  kty: z.enum(['EC', 'RSA', 'OKP']),
  kid: z.string().min(1).max(200).exactOptional(),
  d: part,
  crv: optionalPart,
  x: optionalPart,
  y: optionalPart,
  n: optionalPart,
  e: optionalPart,
  p: optionalPart,
  q: optionalPart,
  dp: optionalPart,
  dq: optionalPart,
  qi: optionalPart,
});
export type PrivateJwk = z.infer<typeof privateJwk>;

/** Algorithms by which the client signs who it is (RFC 7518). */
export const signingAlgorithm = z.enum(['ES256', 'RS256', 'PS256', 'EdDSA']);
export type SigningAlgorithm = z.infer<typeof signingAlgorithm>;

const asked = {
  clientId,
  /** What is asked for; without it what the server's challenge names, or all that it supports. */
  scope: scope.optional(),
  /** The only authorization server that gets the credentials; without it the first that the server names. */
  issuer: issuer.optional(),
};

const pem = z
  .string()
  .max(20_000)
  .regex(
    /^-----BEGIN PRIVATE KEY-----[\sA-Za-z0-9+/=]+-----END PRIVATE KEY-----\s*$/,
    'a PKCS #8 key in PEM: "-----BEGIN PRIVATE KEY-----" and so on',
  );

const clientSecret = z.string().min(1).max(4_000);

/** How a machine says who it is: OAuth 2.1 (RFC 6749, 4.4), by a secret or a signed assertion (RFC 7523). */
export const machineAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('client-credentials'), ...asked, clientSecret }),
  z.strictObject({
    type: z.literal('private-key-jwt'),
    ...asked,
    /** PKCS #8 in PEM, or a JWK. */
    privateKey: z.union([pem, privateJwk]),
    algorithm: signingAlgorithm,
    keyId: z.string().min(1).max(200).optional(),
  }),
]);
export type MachineAuth = z.infer<typeof machineAuth>;

/** How a server is told who calls it: a machine, or a person who has consented in a browser before. */
export const ownersAuth = z.union([
  machineAuth,
  z.strictObject({ type: z.literal('authorization-code'), consent: z.string().min(1).max(100) }),
]);
export type OwnersAuth = z.infer<typeof ownersAuth>;

/** What somebody is asked to consent to: that the server at this address is used as them. */
export const newConsent = z
  .strictObject({
    url: z.string().min(1).max(2_000),
    ...asked,
    /** The client that the authorization server knows already; without it the deployment says itself who it is. */
    clientId: clientId.optional(),
    clientSecret: clientSecret.optional(),
  })
  .refine((said) => said.clientSecret === undefined || said.clientId !== undefined, {
    path: ['clientSecret'],
    message: 'a secret needs its clientId',
  });
export type NewConsent = z.infer<typeof newConsent>;

/** What was found out about the authorization when the server was listed, without secrets. */
const found = {
  clientId: z.string(),
  scope: z.string().nullable(),
  issuer: z.string(),
  tokenEndpoint: z.string(),
  /** What the token is asked for (RFC 8707). */
  resource: z.string(),
};

/** The same as it is stored; `secret` is encrypted under `authEncryptionContext(tokenEndpoint)`. */
const storedMachineAuth = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('client-credentials'),
    ...found,
    method: z.enum(['client_secret_basic', 'client_secret_post']),
    secret: z.string(),
  }),
  z.object({
    type: z.literal('private-key-jwt'),
    ...found,
    algorithm: signingAlgorithm,
    keyId: z.string().nullable(),
    secret: z.string(),
  }),
]);
export type StoredMachineAuth = z.infer<typeof storedMachineAuth>;

/** A consent keeps its own tokens and secrets. */
const storedConsentAuth = z.object({ type: z.literal('authorization-code'), ...found, consent: z.string() });
export type StoredConsentAuth = z.infer<typeof storedConsentAuth>;

export const storedAuth = z.union([storedMachineAuth, storedConsentAuth]);
export type StoredAuth = z.infer<typeof storedAuth>;

/** What clients see of it. */
export const shownAuth = z.object({
  type: z.enum(['client-credentials', 'private-key-jwt', 'authorization-code']),
  clientId: z.string(),
  scope: z.string().nullable(),
  issuer: z.string(),
  /** The consent that it rests on; null where none is needed. */
  consent: z.string().nullable().default(null),
});

export const authWithoutSecrets = (stored: StoredAuth): z.infer<typeof shownAuth> => ({
  type: stored.type,
  clientId: stored.clientId,
  scope: stored.scope,
  issuer: stored.issuer,
  consent: stored.type === 'authorization-code' ? stored.consent : null,
});

/** Binds an encrypted secret to where it is sent or used. */
export const authEncryptionContext = (tokenEndpoint: string): string => `server-auth:${tokenEndpoint}`;

/** A token is asked for again so long before it runs out, in milliseconds. */
const renewedBeforeMs = 10_000;
/** How long a token is used that does not say how long it lives: until it is refused, and at most this long. */
const unstatedLifeMs = 3_600_000;

/** Returns until when a token is used: shortly before its end, but at least for half its life. */
export function tokenUsedUntilMs(nowMs: number, expiresInSeconds: number | undefined): number {
  if (expiresInSeconds === undefined) return nowMs + unstatedLifeMs;
  const lifeMs = expiresInSeconds * 1_000;
  return nowMs + Math.max(lifeMs / 2, lifeMs - renewedBeforeMs);
}

/**
 * Returns whether metadata of a resource holds for an address: of the same origin, at the same path or above. Source: MCP 2025-11-25,
 * "Canonical Server URI"; RFC 9728, 3.3.
 */
export function isResourceAtOrAboveAddress(resource: string, address: string): boolean {
  const [named, used] = [URL.parse(resource), URL.parse(address)];
  if (named === null || used === null || named.origin !== used.origin) return false;
  const folder = named.pathname.endsWith('/') ? named.pathname : `${named.pathname}/`;
  return `${used.pathname}/`.startsWith(folder);
}
