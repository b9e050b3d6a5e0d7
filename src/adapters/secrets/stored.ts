import type { Settings } from '#adapters/settings.ts';
import { decryptSecret } from './encryption.ts';

/** A secret that was stored encrypted. Throws where it does not open: then the deployment's key is another one. */
export async function openSecret(settings: Settings, envelope: string, context: string): Promise<string> {
  const opened = await decryptSecret(settings.ENCRYPTION_KEY, envelope, context);
  if (!opened.ok) throw new Error('a stored secret cannot be opened: the encryption key has changed');
  return opened.value;
}
