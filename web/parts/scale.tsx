import { placeOnScale, scalePath } from '#core/values/whisker-svg.ts';

interface ScaleProps {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly range: readonly [least: number, most: number];
  /** What knowing nothing scores. */
  readonly floor?: number | undefined;
  /** An interval that others are held against, such as that of the best. */
  readonly beside?: readonly [low: number, high: number] | undefined;
  /** As wide as its cell, to be read along rows. */
  readonly isWide?: true;
}

/** Draws a mean and its interval on a graduated scale, for the eye: the digits are beside it. */
export function Scale({ mean, low, high, range, floor, beside, isWide }: ScaleProps) {
  if (mean === null || !range.every(Number.isFinite)) return null;
  const at = (value: number): number => placeOnScale(value, range);
  return (
    <svg class={`whisker ${isWide ? 'wide' : ''}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {beside !== undefined && (
        <rect class="overlap" x={at(beside[0])} width={at(beside[1]) - at(beside[0])} y={-20} height={50} />
      )}
      <path class="axis" fill="none" d={scalePath} />
      {floor !== undefined && <line class="floor" x1={at(floor)} x2={at(floor)} y1={-2} y2={10} />}
      {low !== null && high !== null && <line class="interval" x1={at(low)} x2={at(high)} y1={3.5} y2={3.5} />}
      <rect class="mean" x={at(mean) - (isWide ? 0.2 : 0.8)} width={isWide ? 0.4 : 1.6} y={0} height={7} />
    </svg>
  );
}
