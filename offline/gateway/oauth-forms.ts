import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A client that may ask for tokens. It proves who it is by a secret, or by assertions that its private key signs; a public one does not. */
export type OAuthClient = {
  readonly id: string;
  readonly scopes: readonly string[];
  /** Where people are sent back to who consent to it; a machine has none. */
  readonly redirectUris?: readonly string[];
} & (
  | { readonly secret: string; readonly method?: 'client_secret_basic' | 'client_secret_post' }
  | { readonly publicKey: string; readonly algorithm: string }
  | { readonly isPublic: true }
);

/** An error of RFC 6749, 5.2, or RFC 8707, 2. */
export class TokenError extends Error {
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

/** Reads the form of a request, in which nothing may be given twice (RFC 6749, 3.2). */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type']?.split(';')[0];
  const body = await text(request);
  if (request.method !== 'POST') throw new TokenError('invalid_request', 'send the form by POST');
  if (type !== 'application/x-www-form-urlencoded') throw new TokenError('invalid_request', 'the body is no form');
  const form = new URLSearchParams(body);
  throwIfParameterRepeated(form);
  return form;
}

/** Refuses parameters of which one is given twice (RFC 6749, 3.1). */
export function throwIfParameterRepeated(parameters: URLSearchParams): void {
  for (const name of parameters.keys())
    if (parameters.getAll(name).length > 1) throw new TokenError('invalid_request', `${name} is given twice`);
}
