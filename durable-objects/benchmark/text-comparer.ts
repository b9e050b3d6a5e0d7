import { Admission } from '#adapters/network/admission.ts';
import { deploymentModelOfRole, settingsSchema, type Settings } from '#adapters/settings.ts';
import { getOrMakeEmbedderCalibration, type CalibrationStore } from '#adapters/vector/calibrate-once.ts';
import { makeIndexEmbedder } from '#adapters/vector/index-embedder.ts';
import type { ComparedTexts } from '#core/benchmarks/find-near-duplicates.ts';
import type { Embedder } from '#core/ports.ts';
import { cosineOrNull } from '#core/similarity/cosine.ts';
import { thresholdsOfCalibration, type EmbedderCalibration } from '#core/similarity/calibrate-embedder.ts';

/** Compares texts by the vectors of the deployment's embedder, which is calibrated at its first use. */
export class TextComparer {
  readonly #settings: Settings;
  readonly #model: string;
  readonly #embedder: Embedder;
  readonly #calibrations: CalibrationStore;
  #calibration: EmbedderCalibration | null = null;

  /** The deployment's variables are in `env`. */
  constructor(env: unknown, calibrations: CalibrationStore) {
    this.#settings = settingsSchema.parse(env);
    this.#model = deploymentModelOfRole(this.#settings, 'embedder').model;
    this.#embedder = makeIndexEmbedder(this.#settings, this.#model, new Admission());
    this.#calibrations = calibrations;
  }

  /** Returns the embedder's calibration; null before it was needed. */
  get calibrationIfUsed(): EmbedderCalibration | null {
    return this.#calibration;
  }

  /** Returns the cosines of a text and others, in their order; null if the embedder cannot be reached or is unfit. */
  async computeCosinesOrNull(text: string, others: readonly string[]): Promise<ComparedTexts | null> {
    if (this.#calibration === null) {
      const made = await getOrMakeEmbedderCalibration(this.#settings, this.#model, this.#embedder, this.#calibrations);
      if (!made.ok) return null;
      this.#calibration = made.value;
    }
    if (!this.#calibration.separates) return null;
    const answer = await this.#embedder.embed([text, ...others]);
    if (!answer.ok) return null;
    const [own = [], ...vectors] = answer.vectors;
    return {
      cosines: vectors.map((vector) => cosineOrNull(own, vector)),
      thresholds: thresholdsOfCalibration(this.#calibration),
    };
  }
}
