/** A server that answers nothing is left alone for at most this many rounds of an exploration, or units of time. */
const longestRest = 16;

/** Returns how long a server is left alone after a number of failures in a row, at least 1: 1, 2, 4, 8, then 16. */
export const restLengthAfterFailures = (strikes: number): number => Math.min(longestRest, 2 ** (strikes - 1));
