import { fromBase64 } from '#core/values/base64.ts';

const encoder = new TextEncoder();

/** Returns the HMAC-SHA-256 of a text under a key of 32 bytes in base64. */
export async function computeHmacBytes(key: string, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', fromBase64(key), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
}
