/** The largest number in a quantized vector. */
const reach = 127;

/**
 * Quantizes a vector to bytes: scaled by its largest number, because only its direction counts. A vector that already
 * consists of such bytes stays as it is. Returns null for a vector without direction.
 */
export function quantizeVectorOrNull(vector: readonly number[]): Int8Array | null {
  let largest = 0;
  let whole = true;
  for (const number of vector) {
    largest = Math.max(largest, Math.abs(number));
    whole &&= Number.isInteger(number);
  }
  if (!(largest > 0 && Number.isFinite(largest))) return null;
  if (whole && largest <= reach) return Int8Array.from(vector);
  return Int8Array.from(vector, (number) => Math.round((number / largest) * reach));
}
