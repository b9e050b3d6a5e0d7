import type { RequestName } from '#core/evaluation/case-requests.ts';

/** What a unit asks: `pair`, one intent in two requests; `task`, one request with what counts as its success. */
export type UnitKind = 'pair' | 'task';

/** How units are evaluated, after a paper. */
export interface Protocol<Key extends string = string> {
  /** Its name in JSON: lower case, never changed. */
  readonly key: Key;
  readonly title: string;
  /** The paper. */
  readonly source: string;
  /** The kind of unit that it takes. */
  readonly unitKind: UnitKind;
  /** The names of a case's requests, in the order in which they are attempted. */
  readonly requests: readonly [RequestName, ...RequestName[]];
}
