import { fromBase64, toBase64 } from '#core/values/base64.ts';

const prefix = 'whsec_';

/** Makes the secret by which messages of one watch are signed. */
export const newWebhookSecret = (): string => prefix + toBase64(crypto.getRandomValues(new Uint8Array(24)));

/**
 * Returns the headers of a message as Standard Webhooks has them: its id, which stays the same when it is sent again, the time in seconds, and the
 * signature of both and the body (HMAC-SHA256).
 */
export async function signedHeaders(
  secret: string,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: Date },
): Promise<Record<string, string>> {
  const raw = fromBase64(secret.slice(prefix.length));
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const signed = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${toBase64(new Uint8Array(signed))}`,
  };
}
