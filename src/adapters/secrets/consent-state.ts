import { encryptSecret, tryDecryptSecret } from './encryption.ts';
import { computeHmacBytes } from './hmac.ts';
import { isEqualInConstantTime } from './keys.ts';
import { isTaggedId, makeTaggedId } from './tagged-ids.ts';

const kind = 'consent-id';
const stateContext = 'consent-state';
const alphabet = 'base64url';

/** Returns the id of a consent: `made` with a tag that only the deployment's key can produce. */
export const makeUnforgeableConsentId = (key: string, made: string): Promise<string> => makeTaggedId(key, kind, made);

/** Returns whether the deployment has issued this id; a guessed id need not be looked up. */
export const isIssuedConsentId = (key: string, id: string): Promise<boolean> => isTaggedId(key, kind, id);

/**
 * Returns the state of an authorization request (RFC 6749, 10.12): the id of its consent, encrypted, so that nobody can make up or change
 * one, and nothing is looked up for what the deployment has not made. Rejects only if the key is none.
 */
export async function sealConsentIdAsState(key: string, id: string): Promise<string> {
  const sealed = await encryptSecret(key, id, stateContext);
  if (!sealed.ok) throw new Error('the encryption key is not usable');
  return new TextEncoder().encode(sealed.value).toBase64({ alphabet, omitPadding: true });
}

/** Returns the id of the consent in a state; null if the deployment has not made it. */
export async function openConsentIdInState(key: string, state: string): Promise<string | null> {
  const envelope = decodeOrNull(state);
  if (envelope === null) return null;
  const opened = await tryDecryptSecret(key, envelope, stateContext);
  return opened.ok ? opened.value : null;
}

function decodeOrNull(state: string): string | null {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(state, { alphabet }));
  } catch {
    return null;
  }
}

/** Returns what a browser keeps of one loading of the page of a consent: 256 random bits. */
export const newConsentNonce = (): string =>
  crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet, omitPadding: true });

/** Returns the token in the form of the page of a consent as it was loaded with this nonce. */
export const computeConsentFormToken = (key: string, id: string, nonce: string): Promise<string> =>
  computeTag(key, `consent-form:${id}:${nonce}`);

/** Returns whether a token is that of the page as loaded with this nonce. */
export const isConsentFormToken = async (key: string, id: string, nonce: string, presented: string): Promise<boolean> =>
  isEqualInConstantTime(await computeConsentFormToken(key, id, nonce), presented);

/** Returns by what a consent knows the browser that keeps this nonce, without being able to pass for it. */
export const computeConsentBrowserTag = (key: string, id: string, nonce: string): Promise<string> =>
  computeTag(key, `consent-browser:${id}:${nonce}`);

async function computeTag(key: string, text: string): Promise<string> {
  return (await computeHmacBytes(key, text)).toBase64({ alphabet, omitPadding: true });
}
