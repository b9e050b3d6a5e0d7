import { join } from 'node:path';

/** One passage per line, as JSON. */
export const passagesFile = join(import.meta.dirname, 'passages.jsonl');
/** The passages' vectors in the same order, one byte for each number. */
export const vectorsFile = join(import.meta.dirname, 'vectors.int8');
