/** An object of JSON. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the items of what should be an array; none if it is not. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
