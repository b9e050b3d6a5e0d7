/** Formats figures for programs in one line: maps as objects, numbers with four decimals. */
export const roundedJsonLine = (result: object): string =>
  JSON.stringify(result, (_, value: unknown) => {
    if (value instanceof Map) return Object.fromEntries(value);
    return typeof value === 'number' ? Number(value.toFixed(4)) : value;
  });
