import {
  cardTokenPrefix,
  parseShareText,
  shareText,
  shareTokenPrefix,
  type Share,
} from '#core/access/share/shared-run.ts';
import { computeHmacBytes } from './hmac.ts';
import { isEqualInConstantTime } from './keys.ts';

/** Returns whether a key has the form of a share's token. */
export const isShareToken = (key: string): boolean => key.startsWith(shareTokenPrefix);

/**
 * Returns the token of a share: what it says, and an HMAC of it under the deployment's key, which is 32 bytes in base64. It is stored
 * nowhere.
 */
export const signShare = (key: string, share: Share): Promise<string> => sign(key, 'share', share);

/** Returns what a token says; null if the deployment did not sign it. */
export const readSignedShare = (key: string, token: string): Promise<Share | null> => readSigned(key, 'share', token);

/** Returns the token of a share's card, which shows its title, verdict and picture and opens nothing else: it stands where servers see it. */
export const signCard = (key: string, share: Share): Promise<string> => sign(key, 'card', share);

/** Returns of what share a token shows the card; null if the deployment did not sign it. */
export const readSignedCard = (key: string, token: string): Promise<Share | null> => readSigned(key, 'card', token);

const prefixes = { share: shareTokenPrefix, card: cardTokenPrefix } as const;

/** What is signed names the kind, so that no token is one of the other kind under another prefix. */
async function sign(key: string, kind: keyof typeof prefixes, share: Share): Promise<string> {
  const text = shareText(share);
  const signed = await computeHmacBytes(key, `${kind}:${text}`);
  return `${prefixes[kind]}${text}.${signed.toBase64({ alphabet: 'base64url', omitPadding: true })}`;
}

async function readSigned(key: string, kind: keyof typeof prefixes, token: string): Promise<Share | null> {
  const share = parseShareText(token.slice(prefixes[kind].length, token.lastIndexOf('.')));
  return share !== null && isEqualInConstantTime(await sign(key, kind, share), token) ? share : null;
}
