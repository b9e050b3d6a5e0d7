/** Maximum cells of the table of one comparison: some tens of milliseconds. */
const maxCells = 4_000_000;
const maxShorter = 2_000;

/**
 * Returns the length of the longest common subsequence. Time is proportional to the product of the lengths, memory to
 * the shorter one. If the product exceeds 4 million (two traces of 2,000 calls), the rest is ignored, so the length is
 * a lower bound; an agent cannot gain by calling endlessly.
 */
export const computeLcsLength = (a: readonly string[], b: readonly string[]): number => {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const columns = shorter.length * longer.length > maxCells ? shorter.slice(0, maxShorter) : shorter;
  const rows = longer.slice(0, Math.floor(maxCells / Math.max(1, columns.length)));
  const numbers = new Map<string, number>();
  const numbered = Uint32Array.from(columns, (item) => {
    const number = numbers.get(item) ?? numbers.size;
    numbers.set(item, number);
    return number;
  });
  let above = new Uint32Array(numbered.length + 1);
  let row = new Uint32Array(numbered.length + 1);
  for (const item of rows) {
    const wanted = numbers.get(item);
    // A row without a match would be a copy of the one above.
    if (wanted === undefined) continue;
    let left = 0;
    for (let at = 0; at < numbered.length; at += 1) {
      left = numbered[at] === wanted ? (above[at] ?? 0) + 1 : Math.max(left, above[at + 1] ?? 0);
      row[at + 1] = left;
    }
    [above, row] = [row, above];
  }
  return above[numbered.length] ?? 0;
};

/** Returns the length of the common prefix of two sequences. */
export const commonPrefixLength = (a: readonly string[], b: readonly string[]): number => {
  const differing = a.findIndex((item, at) => item !== b[at]);
  return differing < 0 ? a.length : differing;
};
