/** The first line of a file that is not as it should be, counted from 1. */
export interface LineProblem {
  readonly line: number;
  /** What is wrong, for a person. */
  readonly problem: string;
}
