/** How well an agent works; each number is a probability. */
export interface Skill {
  /** Probability of taking the neighbour of the right tool. */
  readonly wrongTool: number;
  /** Probability of missing a word of a clause when ranking tools. */
  readonly missedWord: number;
  /** Probability of passing on the words that refer to a value instead of the value. */
  readonly literalReference: number;
  /** Probability of doing the next thing before this one. */
  readonly swap: number;
  /** Probability of making the next call without waiting for the result of this one. */
  readonly parallel: number;
  /** Probability of losing a clause; grows with every clause before it. */
  readonly lostClause: number;
  /** Probability of forgetting a result that is older than the last one. */
  readonly forgottenResult: number;
  /** Whether it corrects and repeats a call that failed. */
  readonly mends: boolean;
}

/** The offline agents by model name. */
export const skills: ReadonlyMap<string, Skill> = new Map([
  [
    'offline-steady',
    {
      wrongTool: 0.006,
      missedWord: 0,
      literalReference: 0,
      swap: 0,
      parallel: 0,
      lostClause: 0,
      forgottenResult: 0,
      mends: true,
    },
  ],
  [
    'offline-hasty',
    {
      wrongTool: 0.1,
      missedWord: 0.25,
      literalReference: 0.15,
      swap: 0.12,
      parallel: 0.2,
      lostClause: 0,
      forgottenResult: 0,
      mends: false,
    },
  ],
  [
    'offline-forgetful',
    {
      wrongTool: 0.07,
      missedWord: 0.05,
      literalReference: 0.05,
      swap: 0.2,
      parallel: 0,
      lostClause: 0.22,
      forgottenResult: 0.7,
      mends: false,
    },
  ],
]);
