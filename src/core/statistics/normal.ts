/** z of a two-sided 95% interval: the standard normal quantile of 0.975. */
export const z95 = 1.9599639845400536;

/**
 * Returns the probability that a standard normal number exceeds z (0 or more); relative error below 2e-7. Source: the Chebyshev fit of the
 * complementary error function in Press et al., Numerical Recipes, 2nd edition, section 6.2.
 */
export function upperTailOfNormal(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  const coefficients = [
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368,
    -1.26551223,
  ];
  const fit = coefficients.reduce((sum, coefficient) => sum * t + coefficient, 0);
  return (t * Math.exp(-x * x + fit)) / 2;
}
