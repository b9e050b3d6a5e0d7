import { writeFileSync } from 'node:fs';
import { dimensions, makeLazyEmbedder } from '../embedder/embedder.ts';
import { toInt8Vector } from '../embedder/vectors.ts';
import { derivePassages } from './derive.ts';
import { passagesFile, vectorsFile } from './files.ts';

/** Derives the passages from the packages, embeds them, and writes both files. Run by hand: it takes minutes. */
const passages = derivePassages();
console.log(`${passages.length} passages`);

const batch = 250;
const embedder = makeLazyEmbedder();
const vectors = Buffer.alloc(passages.length * dimensions);
for (let start = 0; start < passages.length; start += batch) {
  const embedded = await embedder.embed(passages.slice(start, start + batch).map(({ text }) => text));
  embedded.forEach((vector, index) =>
    vectors.set(Buffer.from(toInt8Vector(vector).buffer), (start + index) * dimensions),
  );
  console.log(`${Math.min(start + batch, passages.length)} embedded`);
}
await embedder.close();

writeFileSync(passagesFile, passages.map((one) => `${JSON.stringify(one)}\n`).join(''));
writeFileSync(vectorsFile, vectors);
