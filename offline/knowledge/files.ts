import { join } from 'node:path';

/** One passage a line, as JSON. */
export const passagesFile = join(import.meta.dirname, 'passages.jsonl');
/** The passages' vectors in the same order, a byte for each number. */
export const vectorsFile = join(import.meta.dirname, 'vectors.int8');
