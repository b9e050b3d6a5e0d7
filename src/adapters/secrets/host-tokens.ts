import { computeHmacBytes } from './hmac.ts';

/**
 * Returns the token by which a workspace proves a host: an HMAC under the deployment's key, which is 32 bytes in base64. It is the same each
 * time, need not be stored, and proves nothing to any other workspace or deployment.
 */
export async function computeHostToken(key: string, workspace: string, host: string): Promise<string> {
  const signed = await computeHmacBytes(key, `host-proof:${JSON.stringify([workspace, host])}`);
  return signed.toBase64({ alphabet: 'base64url', omitPadding: true });
}
