/** One check that readers of a leaderboard's files can make themselves, and its result. */
export interface Check {
  readonly about: string;
  /** `unchecked`: no error was visible, but the check was not made. */
  readonly outcome: 'holds' | 'broken' | 'unchecked';
  readonly detail: string;
}

export const passedCheck = (about: string, detail: string): Check => ({ about, outcome: 'holds', detail });
export const failedCheck = (about: string, detail: string): Check => ({ about, outcome: 'broken', detail });
export const skippedCheck = (about: string, detail: string): Check => ({ about, outcome: 'unchecked', detail });

/** Returns a check that passes if two files agree on something. */
export const equalityCheck = (
  about: string,
  one: readonly [string, string | number | null],
  other: readonly [string, string | number | null],
): Check =>
  one[1] === other[1]
    ? passedCheck(about, `${one[0]} and ${other[0]} have the same: ${one[1] ?? 'none'}`)
    : failedCheck(about, `${one[0]} has ${one[1] ?? 'none'}, ${other[0]} has ${other[1] ?? 'none'}`);

/** Returns whether no check failed. */
export const hasNoFailedCheck = (checks: readonly Check[]): boolean =>
  checks.every(({ outcome }) => outcome !== 'broken');
