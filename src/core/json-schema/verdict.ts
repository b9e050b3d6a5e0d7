/** Whether a value fits a schema; null where that was not decided. */
export type Verdict = boolean | null;

/** All of them hold. */
export const both = (one: Verdict, other: Verdict): Verdict => {
  if (one === false || other === false) return false;
  return one === null || other === null ? null : true;
};

export const negated = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict);
