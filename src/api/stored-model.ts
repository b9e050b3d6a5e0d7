import { checkAddress } from '#adapters/network/address-guard.ts';
import { deploymentModelOfRole, type Settings } from '#adapters/settings.ts';
import { modelKeyEncryptionContext, type ModelChoice, type StoredModel } from '#core/models/choices.ts';
import type { GatewayModel } from '#core/evaluation/config.ts';
import { modelWithListPrice, modelWithListPriceIfUnpriced } from '#core/models/list-prices.ts';
import type { ModelRole } from '#core/models/model-call.ts';
import { refusal } from './problem.ts';
import { encryptOrRefuse } from './secrets.ts';

/**
 * Returns the models that an external agent may ask, with the prices that count: those of the client, or else of the list; of a
 * `submission` the list's wherever it knows the model, because a price that a submitter names may be anything.
 */
export const makeStoredGatewayModels = (
  choices: readonly GatewayModel[],
  settings: Settings,
  of: 'evaluation' | 'submission',
): Promise<StoredModel[]> =>
  Promise.all(
    choices.map(async ({ model, endpoint }) => {
      const stored = {
        ...(await prepareModelForStorage('agent', endpoint && { ...endpoint, model }, settings)),
        model,
      };
      return of === 'submission'
        ? modelWithListPrice(stored, new Date())
        : modelWithListPriceIfUnpriced(stored, new Date());
    }),
  );

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
