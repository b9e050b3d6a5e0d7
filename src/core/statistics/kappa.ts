/** How often two raters said yes or no: both yes, only the first, only the second, both no. */
export interface Ratings {
  readonly both: number;
  readonly first: number;
  readonly second: number;
  readonly neither: number;
}

/** Returns the share of cases in which both raters agree, 0..1; null without cases. */
export const agreementShare = ({ both, first, second, neither }: Ratings): number | null => {
  const n = both + first + second + neither;
  return n === 0 ? null : (both + neither) / n;
};

/**
 * Returns Cohen's kappa: the agreement beyond what the raters' own rates of yes would give by chance, -1..1. Null
 * without cases, or if chance alone agrees on everything. Source: Cohen 1960, "A coefficient of agreement for nominal
 * scales".
 */
export const yesNoKappa = ({ both, first, second, neither }: Ratings): number | null => {
  // In whole numbers, because rounded shares can lead beyond 1.
  const beyondChance = 2 * (both * neither - first * second);
  const most = (both + first) * (first + neither) + (both + second) * (second + neither);
  return most === 0 ? null : beyondChance / most;
};

/**
 * Returns Cohen's kappa of two raters who give each case one of several names, -1..1. Null without cases, or if chance
 * alone agrees on everything. Source: Cohen 1960.
 */
export const nominalKappa = (pairs: readonly (readonly [first: string, second: string])[]): number | null => {
  if (pairs.length === 0) return null;
  const share = (holds: (pair: readonly [string, string]) => boolean): number =>
    pairs.filter(holds).length / pairs.length;
  const names = new Set(pairs.flat());
  const chance = [...names].reduce(
    (sum, name) => sum + share(([first]) => first === name) * share(([, second]) => second === name),
    0,
  );
  return chance === 1 ? null : (share(([first, second]) => first === second) - chance) / (1 - chance);
};
