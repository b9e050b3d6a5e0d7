import { extname } from 'node:path';
import { URL } from 'node:url';
import { EmbeddingThread } from './embedding-thread.ts';
import { RequestError } from '../request-error.ts';
import { Recent } from './recent.ts';

/** Numbers in an embedding. */
export const dimensions = 512;

/** The sentence encoder. It costs nothing until the first text. */
export interface Embedder {
  /** Returns the texts' unit vectors in order. Throws a `RequestError` with status 500 if the model fails. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Ends the model's thread. Running computations are rejected. */
  close(): Promise<void>;
}

/** The same requests are scored repeatedly: once with each of their answers. */
const keptVectors = 5_000;
/** Large enough for the questions of one metric, small enough that a long list lets others in between. */
const batchSize = 32;

/** The thread's program, which is built where this file is. */
const threadProgram = new URL(`./embedding-worker${extname(import.meta.filename)}`, import.meta.url);

/** Creates an embedder. The model is loaded with the first text, in its own thread that runs `program`. */
export const makeLazyEmbedder = (program = threadProgram): Embedder => {
  const known = new Recent<Float32Array>(keptVectors);
  let thread: EmbeddingThread | undefined;
  let closed = false;

  /**
   * Returns the running thread, or a new one if the last one died, so that one failure does not break all later
   * requests.
   */
  const running = (): EmbeddingThread => {
    if (closed) throw new Error('it was closed');
    if (thread === undefined || thread.hasEnded) thread = new EmbeddingThread(program);
    return thread;
  };

  const compute = async (texts: readonly string[]): Promise<Map<string, Float32Array>> => {
    const found = new Map<string, Float32Array>();
    for (let start = 0; start < texts.length; start += batchSize) {
      const batch = texts.slice(start, start + batchSize);
      const vectors = await running().embedTexts(batch);
      for (const [index, vector] of vectors.entries()) found.set(batch[index] ?? '', vector);
    }
    return found;
  };

  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const kept = new Map(texts.flatMap((text) => entryAsListOrEmpty(text, known.get(text))));
    const missing = [...new Set(texts)].filter((text) => !kept.has(text));
    const made = await compute(missing).catch((error: unknown) => {
      throw new RequestError(500, `The embedding model failed: ${error instanceof Error ? error.message : 'unknown'}.`);
    });
    for (const [text, vector] of made) known.set(text, vector);
    return texts.map((text) => {
      const vector = made.get(text) ?? kept.get(text);
      if (vector?.length !== dimensions) throw new RequestError(500, 'The embedding model left out a text.');
      return vector;
    });
  };

  return {
    embed,
    close: async () => {
      closed = true;
      await thread?.end();
    },
  };
};

const entryAsListOrEmpty = (text: string, vector: Float32Array | undefined): [string, Float32Array][] =>
  vector === undefined ? [] : [[text, vector]];
