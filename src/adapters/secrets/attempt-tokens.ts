import { fromBase64 } from '#core/base64.ts';

const encoder = new TextEncoder();

/**
 * The token that opens an attempt's MCP endpoint and nothing else: an HMAC of the attempt's id under the deployment's key, so
 * that a claim can be answered again without storing it. `key` is 32 bytes in base64.
 */
export async function attemptToken(key: string, attempt: string): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', fromBase64(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(`attempt-token:${attempt}`)));
  return `sxa_${signed.toBase64({ alphabet: 'base64url', omitPadding: true })}`;
}
