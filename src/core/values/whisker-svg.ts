interface Shown {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** A scale with ten parts, as the path of an SVG 100 units wide. */
export const scalePath = `M0 9.5H100${Array.from({ length: 11 }, (_, tick) => `M${tick * 10} ${tick % 5 === 0 ? 6 : 8}V9.5`).join('')}`;

/** Returns where a value stands on the scale, 0..100; one beyond its ends stands there. */
export const placeOnScale = (value: number, [least, most]: readonly [number, number]): number =>
  (100 * (Math.min(most, Math.max(least, value)) - least)) / (most - least);

/** Draws a mean and its interval on a graduated scale, as an SVG for the eye: the digits are beside it. `isWide`: as wide as its cell, to be read along rows. */
export function whiskerSvg({ mean, low, high }: Shown, range: readonly [number, number], isWide: boolean): string {
  if (mean === null) return '';
  const x = (value: number): string => placeOnScale(value, range).toFixed(1);
  const interval =
    low === null || high === null ? '' : `<line class="interval" x1="${x(low)}" x2="${x(high)}" y1="3.5" y2="3.5"/>`;
  return (
    `<svg class="whisker${isWide ? ' wide' : ''}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">` +
    `<path class="axis" fill="none" d="${scalePath}"/>${interval}` +
    `<rect class="mean" x="${x(mean)}" y="0" width="${isWide ? 0.4 : 1.5}" height="7"/></svg>`
  );
}
