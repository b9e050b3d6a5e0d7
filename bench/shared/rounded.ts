/** A figure as it is reported: to two places. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
