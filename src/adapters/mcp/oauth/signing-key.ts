import { fromBase64 } from '#core/values/base64.ts';
import { privateJwk, type SigningAlgorithm } from '#core/catalog/server-auth.ts';

const parameters: Readonly<Record<SigningAlgorithm, Parameters<SubtleCrypto['importKey']>[2]>> = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  EdDSA: { name: 'Ed25519' },
};

/** Returns a key in PEM (PKCS #8), or a JWK as JSON, for signing; rejects if it is none, or one for another algorithm. */
export async function importSigningKey(text: string, algorithm: SigningAlgorithm): Promise<CryptoKey> {
  if (text.startsWith('{'))
    return crypto.subtle.importKey('jwk', privateJwk.parse(JSON.parse(text)), parameters[algorithm], false, ['sign']);
  const bytes = fromBase64(text.replaceAll(/-----[A-Z ]+-----|\s/g, ''));
  return crypto.subtle.importKey('pkcs8', bytes, parameters[algorithm], false, ['sign']);
}
