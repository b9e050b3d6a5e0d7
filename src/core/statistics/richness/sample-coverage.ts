import { type Abundance, countClassesSeenTimes } from './abundance.ts';

/**
 * Returns the probability, 0..1, that the next observation is of a class already seen; 0 before the first observation.
 * It is Good-Turing's `1 - f1/n` with Chao and Jost's correction for f2: `1 - (f1/n) (n-1) f1 / ((n-1) f1 + 2 f2)`; for
 * f2 = 0, f1 - 1 and 1 replace f1 and f2 inside the fraction. Sources: Good 1953; Chao & Jost 2012, eq. 4a.
 */
export const sampleCoverage = (abundance: Abundance): number => {
  const { n } = abundance;
  if (n === 0) return 0;
  const f1 = countClassesSeenTimes(abundance, 1);
  const f2 = countClassesSeenTimes(abundance, 2);
  if (f1 === 0) return 1;
  const ones = (n - 1) * (f2 > 0 ? f1 : f1 - 1);
  const twos = 2 * (f2 > 0 ? f2 : 1);
  return 1 - (f1 / n) * (ones / (ones + twos));
};
