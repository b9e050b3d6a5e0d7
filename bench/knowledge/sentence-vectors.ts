import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRandom } from '#core/values/random.ts';
import { normalQuantile } from '../shared/normal-quantile.ts';

export const dimension = 512;
/** Length of the noise relative to a vector. */
const noise = 0.2;
const noisePool = 65_536;

/** Real sentence embeddings: as many vectors of 512 bytes as there are. */
const file = join(import.meta.dirname, '../../offline/knowledge/vectors.int8');

/**
 * Generates vectors distributed like embeddings of sentences: each a mixture of two real ones in a random proportion,
 * with some noise, of length 1. The same key gives the same vectors.
 */
export function makeSentenceVectorGenerator(): (key: string, count: number) => Float32Array[] {
  if (!existsSync(file)) throw new Error(`${file} is missing: the vectors of the offline passages are needed`);
  const bytes = readFileSync(file);
  const real = Array.from({ length: bytes.length / dimension }, (_, n) =>
    normalizedToLengthOne(new Int8Array(bytes.buffer, bytes.byteOffset + n * dimension, dimension)),
  );
  const lots = makeRandom('noise');
  const scale = noise / Math.sqrt(dimension);
  const pool = Float32Array.from({ length: noisePool + dimension }, () => scale * normalQuantile(lots.next() || 0.5));
  return (key, count) => {
    const random = makeRandom('mixtures', key);
    return Array.from({ length: count }, () => {
      const one = real[random.below(real.length)];
      const other = real[random.below(real.length)];
      const share = random.next();
      const from = random.below(noisePool);
      const mixed = Float32Array.from(
        { length: dimension },
        (_, at) => share * (one?.[at] ?? 0) + (1 - share) * (other?.[at] ?? 0) + (pool[from + at] ?? 0),
      );
      return normalizedToLengthOne(mixed);
    });
  };
}

function normalizedToLengthOne(vector: Iterable<number>): Float32Array {
  const numbers = Float32Array.from(vector);
  const length = Math.sqrt(numbers.reduce((sum, each) => sum + each * each, 0));
  return numbers.map((each) => each / length);
}
