import { checkAddress } from '#adapters/network/address-guard.ts';
import { deploymentModelOfRole, type Settings } from '#adapters/settings.ts';
import { modelKeyEncryptionContext, type ModelChoice, type StoredModel } from '#core/models/choices.ts';
import type { ModelRole } from '#core/models/model-call.ts';
import { refusal } from './problem.ts';
import { encryptOrRefuse } from './secrets.ts';

/** Returns a role's model as a run stores it: the client's, with its key encrypted, or else the deployment's. */
export async function prepareModelForStorage(
  role: ModelRole,
  choice: ModelChoice | undefined,
  settings: Settings,
): Promise<StoredModel> {
  if (choice === undefined) {
    const { apiKey: _, ...own } = deploymentModelOfRole(settings, role);
    return { ...own, key: { kind: 'deployment' } };
  }
  const address = checkAddress(choice.baseUrl, { allowLocal: settings.ALLOW_LOCAL_SERVERS });
  if (!address.ok) throw refusal('address-forbidden', `the ${role}'s baseUrl: ${address.problem.detail}`);
  const { apiKey, ...rest } = choice;
  const encrypted = await encryptOrRefuse(settings, apiKey, modelKeyEncryptionContext(choice.baseUrl));
  return { ...rest, key: { kind: 'own', encrypted } };
}
