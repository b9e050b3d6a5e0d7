/** One thing that a reader of a leaderboard's files can check for himself, and what came of it. */
export interface Check {
  readonly about: string;
  /** `unchecked`: nothing is wrong with it that could be seen here, and nobody may take it for checked. */
  readonly outcome: 'holds' | 'broken' | 'unchecked';
  readonly detail: string;
}

export const holds = (about: string, detail: string): Check => ({ about, outcome: 'holds', detail });
export const broken = (about: string, detail: string): Check => ({ about, outcome: 'broken', detail });
export const unchecked = (about: string, detail: string): Check => ({ about, outcome: 'unchecked', detail });

/** Whether two files say the same about something. */
export const same = (
  about: string,
  one: readonly [string, string | number | null],
  other: readonly [string, string | number | null],
): Check =>
  one[1] === other[1]
    ? holds(about, `${one[0]} and ${other[0]} have the same: ${one[1] ?? 'none'}`)
    : broken(about, `${one[0]} has ${one[1] ?? 'none'}, ${other[0]} has ${other[1] ?? 'none'}`);

/** Whether nothing is broken. */
export const isSound = (checks: readonly Check[]): boolean => checks.every(({ outcome }) => outcome !== 'broken');
