/** Whether a value fits a schema; null if undecided. */
export type Verdict = boolean | null;

/** Returns false if one verdict is false, else null if one is undecided, else true. */
export const combineVerdicts = (one: Verdict, other: Verdict): Verdict => {
  if (one === false || other === false) return false;
  return one === null || other === null ? null : true;
};

export const negateVerdict = (verdict: Verdict): Verdict => (verdict === null ? null : !verdict);
