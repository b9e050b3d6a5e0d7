/** How units are split where a client that freezes a benchmark does not say. */
export const freezeDefaults = { seed: 1, privateShare: 0.2 } as const;
