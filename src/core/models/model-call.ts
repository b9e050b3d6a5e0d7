import type { SchemaRefusal } from './function-schemas/writing.ts';

/** What a model is asked for. */
export type ModelRole = 'writer' | 'critic' | 'agent' | 'judge' | 'embedder';

/** One answered request to a model, with its cost; repeats after 429 and 5xx are in `retries`. */
export interface ModelCall {
  readonly role: ModelRole;
  readonly model: string;
  /** `name@version` of the prompt. */
  readonly prompt: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The part of the prompt that the endpoint read from its cache, and the part that it wrote there; absent if none or untold. */
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  /** The part of the completion that the model thought with; absent if none or untold. */
  readonly reasoningTokens?: number;
  /** US dollars by the configured prices; 0 without a price. */
  readonly costUsd: number;
  readonly latencyMs: number;
  readonly retries: number;
  /** In what the request differed from the model's known dialect, because the endpoint refused it, such as `seed: none`. */
  readonly adaptations?: readonly string[];
  /** Which of the offered functions were not sent; absent if all were. */
  readonly leftOut?: readonly LeftOutFunction[];
}

/** A function that a request was to offer and did not. */
export interface LeftOutFunction {
  readonly name: string;
  /** Why its schema cannot be written for the endpoint with the same meaning; `refused` if the endpoint did not take it. */
  readonly reason: SchemaRefusal['reason'] | 'refused';
  /** Where in its schema; null if the endpoint refused it. */
  readonly pointer: string | null;
}
