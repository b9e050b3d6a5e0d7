import { guardedFetch } from '#adapters/network/guarded-fetch.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { endpoint } from '#adapters/model/endpoint.ts';
import { deploymentModel, type Settings } from '#adapters/settings.ts';
import type { Embedder } from '#core/ports.ts';

/** A hundred vectors of 4,096 numbers, as they are written in JSON. */
const answerBytes = 16 * 1024 * 1024;

/**
 * The deployment's embedder with the model that an index was made with: where the deployment has gone over to another model,
 * the index keeps its own, whose vectors alone can be compared with those that it has.
 */
export function indexEmbedder(settings: Settings, model: string, admission: Admission): Embedder {
  const { ALLOW_LOCAL_SERVERS: allowLocal, MODEL_TIMEOUT_MS: timeoutMs } = settings;
  const fetch = guardedFetch({ admission, allowLocal, maxBytes: answerBytes });
  const config = { ...deploymentModel(settings, 'embedder'), model, timeoutMs, maxCompletionTokens: 0 };
  return { embed: endpoint('embedder', config, { admission, fetch }).embed };
}
