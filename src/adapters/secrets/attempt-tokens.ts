import { computeHmacBytes } from './hmac.ts';
import { isTaggedId, makeTaggedId } from './tagged-ids.ts';

/**
 * Returns the token that opens only an attempt's MCP endpoint: an HMAC of the attempt's id under the deployment's key,
 * so that a claim can be answered again without storing it. `key` is 32 bytes in base64.
 */
export async function computeAttemptToken(key: string, attempt: string): Promise<string> {
  const signed = await computeHmacBytes(key, `attempt-token:${attempt}`);
  return `sxa_${signed.toBase64({ alphabet: 'base64url', omitPadding: true })}`;
}

/** Returns the id of an attempt: `made` with a tag that only the deployment's key can produce. */
export const makeUnforgeableAttemptId = (key: string, made: string): Promise<string> =>
  makeTaggedId(key, 'attempt-id', made);

/** Returns whether the deployment has issued this id; a guessed id need not be looked up. */
export const isIssuedAttemptId = (key: string, id: string): Promise<boolean> => isTaggedId(key, 'attempt-id', id);
