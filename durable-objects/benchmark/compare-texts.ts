import { Admission } from '#adapters/network/admission.ts';
import { deploymentModel, settingsSchema } from '#adapters/settings.ts';
import { makeIndexEmbedder } from '#adapters/vector/index-embedder.ts';
import type { DuplicateSource } from '#core/benchmarks/find-near-duplicates.ts';
import { cosine } from '#core/scoring/cosine.ts';

/** Compares texts by the vectors of the deployment's embedder; its variables are in `env`. */
export function makeTextComparer(env: unknown): DuplicateSource['compare'] {
  const settings = settingsSchema.parse(env);
  const embedder = makeIndexEmbedder(settings, deploymentModel(settings, 'embedder').model, new Admission());
  return async (text, others) => {
    const answer = await embedder.embed([text, ...others]);
    if (!answer.ok) return null;
    const [own = [], ...vectors] = answer.vectors;
    return vectors.map((vector) => cosine(own, vector));
  };
}
