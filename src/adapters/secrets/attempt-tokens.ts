import { computeHmacBytes } from './hmac.ts';
import { isEqualInConstantTime } from './keys.ts';

const tagChars = 12;

/**
 * Returns the token that opens only an attempt's MCP endpoint: an HMAC of the attempt's id under the deployment's key,
 * so that a claim can be answered again without storing it. `key` is 32 bytes in base64.
 */
export async function computeAttemptToken(key: string, attempt: string): Promise<string> {
  const signed = await computeHmacBytes(key, `attempt-token:${attempt}`);
  return `sxa_${signed.toBase64({ alphabet: 'base64url', omitPadding: true })}`;
}

/** Returns the id of an attempt: `made` with a tag that only the deployment's key can produce. */
export async function makeTaggedAttemptId(key: string, made: string): Promise<string> {
  const signed = await computeHmacBytes(key, `attempt-id:${made}`);
  return `${made}${signed.toHex().slice(0, tagChars)}`;
}

/** Returns whether the deployment has issued this id; a guessed id need not be looked up. */
export const isIssuedAttemptId = async (key: string, id: string): Promise<boolean> =>
  isEqualInConstantTime(await makeTaggedAttemptId(key, id.slice(0, -tagChars)), id);
