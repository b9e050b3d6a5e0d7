import { hash32 } from './seeded.ts';
import { contentWords } from './words.ts';

/** How many numbers an embedding has. */
const dimensions = 256;

/** A text as a unit vector: its words and their character trigrams, each hashed to a place and a sign. */
export const embed = (text: string): number[] => {
  const vector = Array.from({ length: dimensions }, () => 0);
  const add = (feature: string, weight: number): void => {
    const hash = hash32(feature);
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash & 0x10000 ? weight : -weight);
  };
  const lower = text.toLowerCase();
  for (const word of contentWords(lower)) add(`w ${word}`, 1);
  for (const number of lower.match(/\d+/gu) ?? []) add(`n ${number}`, 1);
  const padded = ` ${lower.replace(/\s+/gu, ' ').trim()} `;
  for (let index = 0; index + 3 <= padded.length; index += 1) add(`t ${padded.slice(index, index + 3)}`, 0.25);
  const length = Math.hypot(...vector);
  return length === 0 ? vector.map((_, index) => (index === 0 ? 1 : 0)) : vector.map((value) => value / length);
};

/** A vector as the base64 of its 32-bit floats, little-endian. */
export const base64Of = (vector: readonly number[]): string => {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => bytes.writeFloatLE(value, index * 4));
  return bytes.toString('base64');
};
