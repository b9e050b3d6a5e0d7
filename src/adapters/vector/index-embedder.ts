import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { makeEndpoint } from '#adapters/model/endpoint.ts';
import { deploymentModelOfRole, type Settings } from '#adapters/settings.ts';
import type { Embedder } from '#core/ports.ts';

/** Enough for a hundred vectors of 4,096 numbers as JSON. */
const answerBytes = 16 * 1024 * 1024;

/**
 * Returns the deployment's embedder with the index's original model: if the deployment has changed its model, the index
 * keeps its own, because only those vectors can be compared.
 */
export function makeIndexEmbedder(settings: Settings, model: string, admission: Admission): Embedder {
  const { ALLOW_LOCAL_SERVERS: allowLocal, MODEL_TIMEOUT_MS: timeoutMs } = settings;
  const fetch = makeGuardedFetch({ admission, allowLocal, maxBytes: answerBytes });
  const config = { ...deploymentModelOfRole(settings, 'embedder'), model, timeoutMs, maxCompletionTokens: 0 };
  return { embed: makeEndpoint('embedder', config, { admission, fetch }).embed };
}
