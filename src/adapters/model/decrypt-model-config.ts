import { maxCompletionTokens } from '#adapters/model/model-config.ts';
import type { ModelConfig } from '#adapters/model/openai.ts';
import { computeGovernorName } from '#adapters/secrets/governor-name.ts';
import { decryptStoredSecretOrThrow } from '#adapters/secrets/stored-secret.ts';
import { deploymentModelOfRole, type Settings } from '#adapters/settings.ts';
import { modelKeyEncryptionContext, type StoredModel } from '#core/models/choices.ts';
import type { ModelRole } from '#core/models/model-call.ts';

/** Returns a stored model with its key decrypted. */
export async function decryptModelConfig(
  settings: Settings,
  role: ModelRole,
  { key, ...model }: StoredModel,
): Promise<ModelConfig> {
  // The client chose the endpoint, so it must not see the deployment's key.
  if (key.kind === 'forgotten') throw new Error(`the key of the ${role} model is forgotten: its run is over`);
  const apiKey =
    key.kind === 'own'
      ? await decryptStoredSecretOrThrow(settings, key.encrypted, modelKeyEncryptionContext(model.baseUrl))
      : deploymentModelOfRole(settings, role).apiKey;
  // Rules that replace models have no limits.
  const isOffline = key.kind === 'deployment' && settings.OFFLINE_MODELS;
  const governor = isOffline ? undefined : await computeGovernorName(settings.ENCRYPTION_KEY, { ...model, apiKey });
  return { ...model, apiKey, timeoutMs: settings.MODEL_TIMEOUT_MS, maxCompletionTokens, governor };
}
