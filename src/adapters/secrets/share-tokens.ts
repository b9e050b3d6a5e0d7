import { parseShareText, shareText, shareTokenPrefix, type Share } from '#core/access/share/shared-run.ts';
import { computeHmacBytes } from './hmac.ts';
import { isEqualInConstantTime } from './keys.ts';

/** Returns whether a key has the form of a share's token. */
export const isShareToken = (key: string): boolean => key.startsWith(shareTokenPrefix);

/**
 * Returns the token of a share: what it says, and an HMAC of it under the deployment's key, which is 32 bytes in base64. It is stored
 * nowhere.
 */
export async function signShare(key: string, share: Share): Promise<string> {
  const text = shareText(share);
  const signed = await computeHmacBytes(key, `share:${text}`);
  return `${shareTokenPrefix}${text}.${signed.toBase64({ alphabet: 'base64url', omitPadding: true })}`;
}

/** Returns what a token says; null if the deployment did not sign it. */
export async function readSignedShare(key: string, token: string): Promise<Share | null> {
  const share = parseShareText(token.slice(shareTokenPrefix.length, token.lastIndexOf('.')));
  return share !== null && isEqualInConstantTime(await signShare(key, share), token) ? share : null;
}
