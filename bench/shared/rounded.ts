/** Rounds a reported figure to two decimals. */
export const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;
