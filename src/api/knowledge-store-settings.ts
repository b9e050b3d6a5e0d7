import { checkAddress } from '#adapters/network/address-guard.ts';
import { getDeploymentVectorIndex, type Settings } from '#adapters/settings.ts';
import {
  vectorTokenEncryptionContext,
  type KnowledgeConnection,
  type NewKnowledge,
} from '#core/similarity/knowledge/record.ts';
import { refusal } from './problem.ts';
import { encryptOrRefuse } from './secrets.ts';

/** Returns an index's store for storage, with the client's token encrypted. */
export async function checkAndEncryptStoreSettings(
  store: NonNullable<NewKnowledge['store']>,
  settings: Settings,
): Promise<KnowledgeConnection['store']> {
  if (store.kind === 'embedded') return store;
  const { url, token } = store;
  if ((url === undefined) !== (token === undefined))
    throw refusal('invalid-request', 'store: url and token belong together');
  if (url === undefined || token === undefined) {
    if (getDeploymentVectorIndex(settings) === undefined)
      throw refusal(
        'invalid-request',
        'store: this deployment knows no Upstash: give url and token, or use an embedded one',
      );
    return { kind: 'upstash', url: null, encryptedToken: null };
  }
  const address = checkAddress(url, { allowLocal: settings.ALLOW_LOCAL_SERVERS });
  if (!address.ok) throw refusal('address-forbidden', `store.url: ${address.problem.detail}`);
  return {
    kind: 'upstash',
    url,
    encryptedToken: await encryptOrRefuse(settings, token, vectorTokenEncryptionContext(url)),
  };
}
