import type { InfrastructureFault } from '#core/models/faults.ts';
import type { Embedder, IndexFault } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';

export type Embedded = { readonly calls: readonly ModelCall[] } & (
  | { readonly ok: true; readonly vectors: readonly (readonly number[])[] }
  | { readonly ok: false; readonly fault: IndexFault | InfrastructureFault }
);

/**
 * Computes the vectors of texts for an index of this dimension, in one call; vectors of another dimension are a fault.
 */
export async function computeVectorsOfDimension(
  embedder: Embedder,
  dimension: number,
  texts: readonly string[],
): Promise<Embedded> {
  const answer = await embedder.embed(texts);
  if (!answer.ok) return { ok: false, fault: answer.fault, calls: [] };
  const { vectors, call } = answer;
  const calls = [call];
  const other = vectors.find(({ length }) => length !== dimension);
  if (other === undefined) return { ok: true, vectors, calls };
  const detail = `${call.model} gave a vector of ${other.length} numbers; those of the index have ${dimension}`;
  return { ok: false, fault: { where: 'model', name: 'embedder', code: 'dimension-mismatch', detail }, calls };
}
