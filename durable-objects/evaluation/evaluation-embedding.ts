import { isModelAgent } from '#core/evaluation/config.ts';
import type { StoredModel } from '#core/models/choices.ts';
import { makeEmbedderName } from '#core/models/retrieval.ts';
import { addUsage, sumUsageOfCalls } from '#core/models/usage.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { RetrievalText } from '#core/similarity/retrieval/retrieval-text.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { EvaluationCases } from './evaluation-cases.ts';
import type { EvaluationLife } from './evaluation-life.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import type { NamedVector } from './tool-vectors.ts';

/** Texts that one request to an embedder has. */
const textsPerRequest = 100;

/** Texts whose vectors are missing, and the embedder that is to compute them. */
export interface TextsToEmbed {
  readonly embedder: StoredModel;
  readonly texts: readonly RetrievalText[];
}

interface Host {
  readonly store: EvaluationStore;
  readonly life: EvaluationLife;
  readonly cases: EvaluationCases;
}

/** The vectors that agents with the loop `routing` search: of each embedder once, before the first attempt. */
export class EvaluationEmbedding {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /**
   * Returns texts of servers and tools that an agent's embedder has not computed yet, of none of the `broken` ones; null if
   * there are none, or the driver is to stop.
   */
  findToolTextsToEmbedOrNull(driver: number, broken: readonly string[]): TextsToEmbed | null {
    const { life, store } = this.#host;
    if (life.findReasonToStopDriver(driver) !== null) return null;
    const descriptions = new Map(
      life.creation.servers.flatMap(({ name, description }) => (description === null ? [] : [[name, description]])),
    );
    for (const agent of life.creation.agents) {
      const embedder = isModelAgent(agent) ? agent.retrieval?.embedder : undefined;
      if (embedder === undefined || broken.includes(makeEmbedderName(embedder))) continue;
      const texts = store.vectors.listTextsWithoutVector(makeEmbedderName(embedder), descriptions, textsPerRequest);
      if (texts.length > 0) return { embedder, texts };
    }
    return null;
  }

  /** Stores vectors, and counts what they cost as the agents' usage, in no attempt. Repeating it changes nothing. */
  storeVectorsAndCountUsage(embedder: string, vectors: readonly NamedVector[], calls: readonly ModelCall[]): void {
    const { life, store, cases } = this.#host;
    if (isOver(life.standing.status)) return;
    life.transaction(() => {
      // Those of one request are stored together.
      if (vectors.every(({ name }) => store.vectors.has(embedder, name))) return;
      store.vectors.write(embedder, vectors);
      cases.changeStandingAndCountWrittenRows((now) => ({
        ...now,
        usage: addUsage(now.usage, sumUsageOfCalls(calls)),
        steps: now.steps + 1,
      }));
    });
  }
}
