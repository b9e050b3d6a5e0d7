/** Rounds a reported figure to two decimals. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;
