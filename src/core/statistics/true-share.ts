import { z95 } from './normal.ts';

/** How often a reader was right, of how many. */
export interface RightOf {
  readonly count: number;
  readonly n: number;
}

/** A share that a reader with known errors saw, corrected for them. */
export interface TrueShare {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Readers whose rates of yes for what is and what is not differ by less say nothing that a correction could rest on. */
const leastInformed = 0.1;

/**
 * Returns the true share behind a share of yes that a reader gave whose errors were counted: 0..1 with a 95% interval, which has
 * the uncertainty of those counts in it. `seen` is the share of yes among `trials`, which need not be whole (an effective number of
 * trials is fine); `sensitivity` counts the right readings of what holds, `specificity` those of what does not. Null if the
 * reader hardly tells the two apart. Sources: Rogan & Gladen 1978 for the value; Lang & Reiczigel 2014, "Confidence limits
 * for prevalence of disease adjusted for estimated sensitivity and specificity", for the interval.
 */
export function correctForReader(
  seen: number,
  trials: number,
  { sensitivity, specificity }: { readonly sensitivity: RightOf; readonly specificity: RightOf },
): TrueShare | null {
  if (trials <= 0 || sensitivity.n === 0 || specificity.n === 0) return null;
  const [rawSe, rawSp] = [sensitivity.count / sensitivity.n, specificity.count / specificity.n];
  if (rawSe + rawSp - 1 < leastInformed) return null;
  const z2 = z95 * z95;
  const n = trials + z2;
  const p = (seen * trials + z2 / 2) / n;
  const se = (sensitivity.count + 1) / (sensitivity.n + 2);
  const sp = (specificity.count + 1) / (specificity.n + 2);
  const informed = se + sp - 1;
  if (informed <= 0) return null;
  const share = (p + sp - 1) / informed;
  const ofSe = (se * (1 - se)) / (sensitivity.n + 2);
  const ofSp = (sp * (1 - sp)) / (specificity.n + 2);
  const shift = 2 * z2 * (share * ofSe - (1 - share) * ofSp);
  const half = (z95 * Math.sqrt((p * (1 - p)) / n + share ** 2 * ofSe + (1 - share) ** 2 * ofSp)) / informed;
  const value = clamp((seen + rawSp - 1) / (rawSe + rawSp - 1));
  return {
    value,
    low: Math.min(value, clamp(share + shift - half)),
    high: Math.max(value, clamp(share + shift + half)),
  };
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value));
