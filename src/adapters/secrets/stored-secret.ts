import type { Settings } from '#adapters/settings.ts';
import { tryDecryptSecret } from './encryption.ts';

/** Opens a stored secret. Throws if that fails, because then the deployment's key has changed. */
export async function decryptStoredSecretOrThrow(
  settings: Settings,
  envelope: string,
  context: string,
): Promise<string> {
  const opened = await tryDecryptSecret(settings.ENCRYPTION_KEY, envelope, context);
  if (!opened.ok) throw new Error('a stored secret cannot be opened: the encryption key has changed');
  return opened.value;
}
