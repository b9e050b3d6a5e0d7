/** Yields: an object computes on one thread, and its other calls must not wait for a long computation. */
export const yieldToOtherCalls = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
