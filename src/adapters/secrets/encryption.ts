import { err, ok, type Result } from '#core/values/result.ts';
import { fromBase64, toBase64 } from '#core/values/base64.ts';

const version = 'v1';
const keyBytes = 32;
const ivBytes = 12;
const encoder = new TextEncoder();

/** Why an envelope cannot be opened. `not-authentic`: another key, another context, or a changed envelope. */
type SealedProblem = 'bad-key' | 'unknown-version' | 'malformed' | 'not-authentic';

/**
 * Encrypts a secret for storage with AES-256-GCM under a fresh random IV. `key` is 32 bytes in base64. `context` says
 * where the secret belongs (such as `server:<id>`): an envelope that was moved elsewhere cannot be opened.
 */
export async function encryptSecret(
  key: string,
  plaintext: string,
  context: string,
): Promise<Result<string, 'bad-key'>> {
  const imported = await importAesKeyOrUndefined(key, 'encrypt');
  if (imported === undefined) return err('bad-key');
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const sealed = await crypto.subtle.encrypt(cipherParameters(iv, context), imported, encoder.encode(plaintext));
  return ok(`${version}.${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}`);
}

/** Opens an envelope of encryptSecret. */
export async function tryDecryptSecret(
  key: string,
  envelope: string,
  context: string,
): Promise<Result<string, SealedProblem>> {
  const imported = await importAesKeyOrUndefined(key, 'decrypt');
  if (imported === undefined) return err('bad-key');
  const [foundVersion, ivText, sealedText, ...rest] = envelope.split('.');
  if (foundVersion !== version) return err('unknown-version');
  const iv = decodeBase64OrUndefined(ivText ?? '');
  const sealed = decodeBase64OrUndefined(sealedText ?? '');
  if (iv?.length !== ivBytes || sealed === undefined || rest.length > 0) return err('malformed');
  try {
    const opened = await crypto.subtle.decrypt(cipherParameters(iv, context), imported, sealed);
    return ok(new TextDecoder().decode(opened));
  } catch {
    return err('not-authentic');
  }
}

const cipherParameters = (iv: Uint8Array<ArrayBuffer>, context: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encoder.encode(`${version}:${context}`),
});

async function importAesKeyOrUndefined(key: string, usage: 'encrypt' | 'decrypt'): Promise<CryptoKey | undefined> {
  const raw = decodeBase64OrUndefined(key);
  if (raw?.length !== keyBytes) return undefined;
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, [usage]);
}

/** Undefined if the text is not base64. */
function decodeBase64OrUndefined(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
}
