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

const tickCount = 10;

/** Draws a mean and its interval on a graduated scale, for the eye: the digits are beside it. */
export function Scale({ mean, low, high, range: [least, most], floor, beside, isWide }: ScaleProps) {
  if (mean === null || !Number.isFinite(most - least)) return null;
  const at = (value: number): number => (100 * (Math.min(most, Math.max(least, value)) - least)) / (most - least);
  return (
    <svg class={`whisker ${isWide ? 'wide' : ''}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {beside !== undefined && (
        <rect class="overlap" x={at(beside[0])} width={at(beside[1]) - at(beside[0])} y={-20} height={50} />
      )}
      <line class="axis" x1={0} x2={100} y1={9.5} y2={9.5} />
      {Array.from({ length: tickCount + 1 }, (_, tick) => (
        <line
          key={tick}
          class="axis"
          x1={tick * (100 / tickCount)}
          x2={tick * (100 / tickCount)}
          y1={tick % 5 === 0 ? 6 : 8}
          y2={9.5}
        />
      ))}
      {floor !== undefined && <line class="floor" x1={at(floor)} x2={at(floor)} y1={-2} y2={10} />}
      {low !== null && high !== null && <line class="interval" x1={at(low)} x2={at(high)} y1={3.5} y2={3.5} />}
      <rect class="mean" x={at(mean) - (isWide ? 0.2 : 0.8)} width={isWide ? 0.4 : 1.6} y={0} height={7} />
    </svg>
  );
}
