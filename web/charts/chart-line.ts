/** A point of a line; with a band if its interval is known. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

/** A line with its band, and the class by which it is drawn; `behind` is that of another run. */
export interface ChartLine {
  readonly name: string;
  readonly class: 'first' | 'second' | 'behind';
  readonly points: readonly ChartPoint[];
}
