import { deploymentModelOfRole, type Settings } from '#adapters/settings.ts';
import { cosineOrNull } from '#core/similarity/cosine.ts';
import {
  calibrateEmbedder,
  listCalibrationTexts,
  makeOfflineEmbedderCalibration,
  type EmbedderCalibration,
} from '#core/similarity/calibrate-embedder.ts';
import type { Embedder, Reached } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';

/** Where the deployment keeps the calibrations of its embedders. */
export interface CalibrationStore {
  findEmbedderCalibration(embedder: string): Promise<EmbedderCalibration | null>;
  /** Keeps the first calibration of an embedder that separates the labelled pairs, and returns the one that is kept. */
  keepFirstEmbedderCalibration(embedder: string, calibration: EmbedderCalibration): Promise<EmbedderCalibration>;
}

/** Texts in one call of the embedder. */
const textsAtOnce = 100;

/**
 * Returns the calibration of an embedder, which is known by its model and endpoint. At first use it embeds the labelled
 * pairs (354 short texts) and keeps the result; of several first uses at once, the first to finish counts for all.
 * A calibration that does not separate the pairs is not kept, because its endpoint may have been broken: the next use calibrates again. The offline embedder is the one that the rule was made with, and is not asked.
 */
export async function getOrMakeEmbedderCalibration(
  settings: Settings,
  model: string,
  embedder: Embedder,
  store: CalibrationStore,
): Promise<Reached<EmbedderCalibration> & { readonly calls: readonly ModelCall[] }> {
  const calls: ModelCall[] = [];
  if (settings.OFFLINE_MODELS) return { ok: true, value: makeOfflineEmbedderCalibration(model), calls };
  const name = `${model} at ${deploymentModelOfRole(settings, 'embedder').baseUrl.replace(/\/+$/, '')}`;
  const known = await store.findEmbedderCalibration(name);
  if (known?.separates === true) return { ok: true, value: known, calls };
  const texts = listCalibrationTexts();
  const vectors = new Map<string, readonly number[]>();
  for (let start = 0; start < texts.length; start += textsAtOnce) {
    const part = texts.slice(start, start + textsAtOnce);
    const answer = await embedder.embed(part);
    if (!answer.ok) return { ok: false, fault: answer.fault, calls };
    calls.push(answer.call);
    for (const [index, text] of part.entries()) vectors.set(text, answer.vectors[index] ?? []);
  }
  const made = calibrateEmbedder(model, (a, b) => cosineOrNull(vectors.get(a) ?? [], vectors.get(b) ?? []));
  return { ok: true, value: made.separates ? await store.keepFirstEmbedderCalibration(name, made) : made, calls };
}
