import { RpcTarget } from 'cloudflare:workers';
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
import type { NamedVector, VectorPage } from './tool-vectors.ts';

/** Texts that one request to an embedder has. */
const textsPerRequest = 100;

/** Texts whose vectors are missing, and the embedder that is to compute them. */
export interface TextsToEmbed {
  readonly embedder: StoredModel;
  readonly texts: readonly RetrievalText[];
}

/** The vectors that agents which search for tools need: of each embedder once, before the first attempt. */
export class EvaluationEmbedding extends RpcTarget {
  readonly #store: EvaluationStore;
  readonly #life: EvaluationLife;
  readonly #cases: EvaluationCases;

  constructor(store: EvaluationStore, life: EvaluationLife, cases: EvaluationCases) {
    super();
    this.#store = store;
    this.#life = life;
    this.#cases = cases;
  }

  /**
   * Returns texts of servers and tools that an agent's embedder has not computed yet, of none of the `broken` ones; null if
   * there are none, or the driver is to stop.
   */
  findTexts(driver: number, broken: readonly string[]): TextsToEmbed | null {
    if (this.#life.findReasonToStopDriver(driver) !== null) return null;
    const descriptions = new Map(
      this.#life.creation.servers.flatMap(({ name, description }) =>
        description === null ? [] : [[name, description]],
      ),
    );
    for (const agent of this.#life.creation.agents) {
      const embedder = isModelAgent(agent) ? agent.retrieval?.embedder : undefined;
      if (embedder === undefined || broken.includes(makeEmbedderName(embedder))) continue;
      const texts = this.#store.vectors.listTextsWithoutVector(
        makeEmbedderName(embedder),
        descriptions,
        textsPerRequest,
      );
      if (texts.length > 0) return { embedder, texts };
    }
    return null;
  }

  /** Returns vectors of an embedder after a name (empty: from the first), as many as one call carries. */
  listVectors(embedder: string, after: string): VectorPage {
    return this.#store.vectors.readVectorPage(embedder, after);
  }

  /** Stores vectors, and counts what they cost as the agents' usage, in no attempt. Repeating it changes nothing. */
  store(embedder: string, vectors: readonly NamedVector[], calls: readonly ModelCall[]): void {
    if (isOver(this.#life.standing.status)) return;
    this.#life.transaction(() => {
      // Those of one request are stored together.
      if (vectors.every(({ name }) => this.#store.vectors.has(embedder, name))) return;
      this.#store.vectors.write(embedder, vectors);
      this.#cases.changeStandingAndCountWrittenRows((now) => ({
        ...now,
        usage: addUsage(now.usage, sumUsageOfCalls(calls)),
        steps: now.steps + 1,
      }));
    });
  }
}
