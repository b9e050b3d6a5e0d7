/**
 * Characters of JSON that are read, written or passed between objects at once: a call carries at most 32 MiB, a
 * character takes up to three bytes, and a single line may add another MiB.
 */
export const charsPerCall = 4 * 1024 * 1024;
