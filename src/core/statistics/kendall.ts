/**
 * Returns Kendall's tau-b of two lists of numbers about the same things: the agreement of their orders, -1..1, with ties taken
 * into account. Null if one list has fewer than two different values. Source: Kendall 1945, "The treatment of ties in ranking
 * problems".
 */
export function kendallTauB(a: readonly number[], b: readonly number[]): number | null {
  let agreed = 0;
  let ordered = 0;
  let orderedOther = 0;
  for (let one = 0; one < a.length; one += 1) {
    for (let two = one + 1; two < a.length; two += 1) {
      const first = Math.sign((a[one] ?? 0) - (a[two] ?? 0));
      const second = Math.sign((b[one] ?? 0) - (b[two] ?? 0));
      agreed += first * second;
      ordered += Math.abs(first);
      orderedOther += Math.abs(second);
    }
  }
  return ordered === 0 || orderedOther === 0 ? null : agreed / Math.sqrt(ordered * orderedOther);
}
