import { tryDecryptSecret, encryptSecret } from '#adapters/secrets/encryption.ts';
import { refusal } from './problem.ts';
import type { Settings } from '#adapters/settings.ts';

/** Encrypts a secret for storage; `context` says where it belongs. */
export async function encryptOrRefuse(settings: Settings, plaintext: string, context: string): Promise<string> {
  const sealed = await encryptSecret(settings.ENCRYPTION_KEY, plaintext, context);
  if (!sealed.ok) throw refusal('internal-error', 'the encryption key is not usable');
  return sealed.value;
}

/**
 * Opens what `encryptOrRefuse` encrypted. After a change of the encryption key it cannot, and the secret must be entered again.
 */
export async function decryptOrRefuse(settings: Settings, envelope: string, context: string): Promise<string> {
  const opened = await tryDecryptSecret(settings.ENCRYPTION_KEY, envelope, context);
  if (!opened.ok) throw refusal('internal-error', 'a stored secret cannot be opened: the encryption key has changed');
  return opened.value;
}
