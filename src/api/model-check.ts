import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { lookUpListedModel } from '#adapters/model/model-offer.ts';
import { deploymentModel, type Settings } from '#adapters/settings.ts';
import { modelKeyEncryptionContext, type StoredModel } from '#core/models/choices.ts';
import type { ModelRole } from '#core/ports.ts';
import { refusal } from './problem.ts';
import { decryptOrRefuse } from './secrets.ts';

const listingBytes = 4 * 1024 * 1024;
/** An endpoint that takes longer is checked when it is used. */
const listingMs = 10_000;
const namedModels = 20;

/** A model in a role, with the name that the client gave it. */
export interface NamedModel {
  readonly name: string;
  readonly role: ModelRole;
  readonly model: StoredModel;
}

/**
 * Refuses models that their endpoints do not have, or do not allow this key to use, because a run on them could only
 * fail.
 */
export async function requireAvailableModels(
  models: readonly NamedModel[],
  settings: Settings,
  admission: Admission,
): Promise<void> {
  const { ALLOW_LOCAL_SERVERS: allowLocal } = settings;
  const fetch = makeGuardedFetch({ admission, allowLocal, maxBytes: listingBytes, timeoutMs: listingMs });
  await Promise.all(
    models.map(async ({ name, role, model: { key, baseUrl, model, dialect } }) => {
      if (key.kind === 'forgotten') throw refusal('model-unauthorized', `${name}: its key is forgotten`);
      const apiKey =
        key.kind === 'own'
          ? await decryptOrRefuse(settings, key.encrypted, modelKeyEncryptionContext(baseUrl))
          : deploymentModel(settings, role).apiKey;
      const offer = await lookUpListedModel({ baseUrl, apiKey, model, dialect }, fetch);
      if (offer.kind === 'missing') {
        const { length } = offer.offered;
        const some = offer.offered.slice(0, namedModels).join(', ') || 'none';
        const more = length > namedModels ? ` and ${length - namedModels} more` : '';
        throw refusal('model-not-found', `${name}: ${baseUrl} has no model ${model}; it offers ${some}${more}`);
      }
      if (offer.kind === 'unauthorized')
        throw refusal('model-unauthorized', `${name}: ${baseUrl} refuses the key (HTTP ${offer.status})`);
      if (offer.kind === 'unreachable') throw refusal('model-unreachable', `${name}: ${baseUrl} does not answer`);
    }),
  );
}
