import type { Interval } from '#core/statistics/wilson.ts';

/** Formats a figure with its interval, with three decimals: `0.577 (0.491 to 0.658)`; a hyphen without a figure. */
export function figureWithIntervalText(value: number | null, interval: Interval | null): string {
  if (value === null) return '-';
  const figure = value.toFixed(3);
  return interval === null ? figure : `${figure} (${interval.low.toFixed(3)} to ${interval.high.toFixed(3)})`;
}
