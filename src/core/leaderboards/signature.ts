import { fromBase64, toBase64 } from '#core/base64.ts';
import { canonicalJson } from '#core/canonical.ts';
import type { RecordContent, SignedRecord } from './record.ts';

const algorithm = 'Ed25519';
/** What stands before the 32 bytes of a private key in PKCS #8 (RFC 8410), in base64. */
const pkcs8Prefix = 'MC4CAQAwBQYDK2VwBCIEIA==';

/** A key that records are signed with. */
export interface SigningKey {
  readonly key: CryptoKey;
  /** Base64 of its 32 bytes. */
  readonly publicKey: string;
}

/** The signing key of a seed, 32 bytes in base64. */
export async function signingKey(seed: string): Promise<SigningKey> {
  const bytes = new Uint8Array([...fromBase64(pkcs8Prefix), ...fromBase64(seed)]);
  const key = await crypto.subtle.importKey('pkcs8', bytes, algorithm, true, ['sign']);
  const jwk = await crypto.subtle.exportKey('jwk', key);
  if (!('x' in jwk) || jwk.x === undefined) throw new Error('the key has no public part');
  // A JWK has base64url without padding (RFC 7517).
  return { key, publicKey: `${jwk.x.replaceAll('-', '+').replaceAll('_', '/')}=` };
}

/** The record with its signature. */
export async function signed(record: RecordContent, { key, publicKey }: SigningKey): Promise<SignedRecord> {
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(canonicalJson(record)));
  return { record, signature: toBase64(new Uint8Array(signature)), publicKey };
}

/** Whether a record is what the holder of its key signed. */
export async function isAuthentic({
  record,
  signature,
  publicKey,
}: Omit<SignedRecord, 'record'> & { readonly record?: unknown }): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', fromBase64(publicKey), algorithm, false, ['verify']);
    const content = new TextEncoder().encode(canonicalJson(record));
    return await crypto.subtle.verify(algorithm, key, fromBase64(signature), content);
  } catch {
    // Neither a key nor a signature: nothing that anybody signed.
    return false;
  }
}
