/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the items of what should be an array; none if it is not. */
export const arrayOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
