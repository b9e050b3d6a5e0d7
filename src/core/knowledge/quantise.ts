/** The largest number of a quantised vector. */
const reach = 127;

/**
 * A vector as bytes: scaled by its largest number, since only its direction counts. One that consists of such bytes already
 * stays as it is. Null where it has no direction.
 */
export function quantised(vector: readonly number[]): Int8Array | null {
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
