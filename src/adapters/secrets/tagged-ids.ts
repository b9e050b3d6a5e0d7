import { computeHmacBytes } from './hmac.ts';
import { isEqualInConstantTime } from './keys.ts';

const tagChars = 12;

/** Returns an id with a tag that only the deployment's key can produce; `kind` keeps ids of other kinds apart. */
export async function makeTaggedId(key: string, kind: string, made: string): Promise<string> {
  const signed = await computeHmacBytes(key, `${kind}:${made}`);
  return `${made}${signed.toHex().slice(0, tagChars)}`;
}

/** Returns whether the deployment has issued this id; a guessed id need not be looked up. */
export const isTaggedId = async (key: string, kind: string, id: string): Promise<boolean> =>
  isEqualInConstantTime(await makeTaggedId(key, kind, id.slice(0, -tagChars)), id);
