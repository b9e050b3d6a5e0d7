/** Returns a vector of length one in the same direction. */
export const toUnitVector = (vector: ArrayLike<number>): Float32Array<ArrayBuffer> => {
  const values = Array.from(vector);
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};

/**
 * Scales a vector to whole numbers from -127 to 127, the largest of which reaches the limit. Its direction is nearly
 * unchanged.
 */
export const toInt8Vector = (vector: ArrayLike<number>): Int8Array<ArrayBuffer> => {
  const values = Array.from(vector);
  const largest = Math.max(...values.map(Math.abs));
  return Int8Array.from(values, (value) => Math.round((value / largest) * 127));
};

/** Encodes a vector as the base64 of its 32-bit floats, little-endian. */
export const toBase64Floats = (vector: ArrayLike<number>): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  Array.from(vector).forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes.toString('base64');
};
