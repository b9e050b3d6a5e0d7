/** The first invalid line of a file, counted from 1. */
export interface LineProblem {
  readonly line: number;
  /** What is wrong, for a person. */
  readonly problem: string;
}
