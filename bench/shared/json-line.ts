/** Figures for a program, in one line: maps as objects, numbers to four places, so that shares keep theirs. */
export const jsonLine = (result: object): string =>
  JSON.stringify(result, (_, value: unknown) => {
    if (value instanceof Map) return Object.fromEntries(value);
    return typeof value === 'number' ? Number(value.toFixed(4)) : value;
  });
