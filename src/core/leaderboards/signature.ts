import { fromBase64, toBase64 } from '#core/values/base64.ts';
import { canonicalJson } from '#core/values/canonical.ts';
import type { RecordContent, SignedRecord } from './record.ts';

const algorithm = 'Ed25519';
/** The PKCS #8 prefix of the 32 bytes of a private key (RFC 8410), in base64. */
const pkcs8Prefix = 'MC4CAQAwBQYDK2VwBCIEIA==';

/** A key that signs records. */
export interface SigningKey {
  readonly key: CryptoKey;
  /** Base64 of its 32 bytes. */
  readonly publicKey: string;
}

/** Returns the signing key of a seed, 32 bytes in base64. */
export async function makeSigningKeyFromSeed(seed: string): Promise<SigningKey> {
  const bytes = new Uint8Array([...fromBase64(pkcs8Prefix), ...fromBase64(seed)]);
  const key = await crypto.subtle.importKey('pkcs8', bytes, algorithm, true, ['sign']);
  const jwk = await crypto.subtle.exportKey('jwk', key);
  if (!('x' in jwk) || jwk.x === undefined) throw new Error('the key has no public part');
  // A JWK uses base64url without padding (RFC 7517).
  return { key, publicKey: `${jwk.x.replaceAll('-', '+').replaceAll('_', '/')}=` };
}

/** Signs a record. */
export async function signRecord(record: RecordContent, { key, publicKey }: SigningKey): Promise<SignedRecord> {
  const signature = await crypto.subtle.sign(algorithm, key, new TextEncoder().encode(canonicalJson(record)));
  return { record, signature: toBase64(new Uint8Array(signature)), publicKey };
}

/** Returns whether a record was signed by the holder of its key. */
export async function hasValidSignature({
  record,
  signature,
  publicKey,
}: Omit<SignedRecord, 'record'> & { readonly record?: unknown }): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', fromBase64(publicKey), algorithm, false, ['verify']);
    const content = new TextEncoder().encode(canonicalJson(record));
    return await crypto.subtle.verify(algorithm, key, fromBase64(signature), content);
  } catch {
    // A malformed key or signature is simply invalid.
    return false;
  }
}
