import { readFile } from 'node:fs/promises';
import { dimensions } from '../embedder/embedder.ts';
import { passagesFile, vectorsFile } from './files.ts';
import { passage, type Passage } from './passage.ts';

/** A passage with its vector, scaled to whole numbers from -127 to 127. */
export interface EmbeddedPassage extends Passage {
  readonly vector: number[];
}

/** Reads the built passages and their vectors, without the model. */
export async function* readEmbeddedPassages(): AsyncGenerator<EmbeddedPassage> {
  const [text, bytes] = await Promise.all([readFile(passagesFile, 'utf8'), readFile(vectorsFile)]);
  const lines = text.split('\n').filter((line) => line !== '');
  if (bytes.length !== lines.length * dimensions)
    throw new Error('passages and vectors are not of the same build: run `npm run knowledge`');
  for (const [index, line] of lines.entries()) {
    const vector = new Int8Array(bytes.subarray(index * dimensions, (index + 1) * dimensions));
    yield { ...passage.parse(JSON.parse(line)), vector: Array.from(vector) };
  }
}
