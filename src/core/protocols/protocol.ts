import type { RequestName } from '#core/evaluation/case-requests.ts';
import type { ModelLoop } from '#core/evaluation/loops.ts';
import type { Mounting } from '#core/mounting/mounting.ts';
import type { HeadlineKey, ScorerKey, VerdictKey } from '#core/scoring/scorers.ts';

/** What a unit asks: `pair`, one intent in two requests; `task`, one request with what counts as its success. */
export type UnitKind = 'pair' | 'task';

/** How units are evaluated, after a paper. */
export interface Protocol<Key extends string = string> {
  /** Its name in JSON: lower case, never changed. */
  readonly key: Key;
  readonly title: string;
  /** The paper. */
  readonly source: string;
  /** The kind of unit that its benchmarks have. Units of the other kind can be evaluated after it too. */
  readonly unitKind: UnitKind;
  /** By kind of unit, the names of a case's requests, in the order in which they are attempted; a unit may lack some. */
  readonly requests: Readonly<Record<UnitKind, readonly [RequestName, ...RequestName[]]>>;
  /** The scorers that it asks for, in display order. A judge is asked for no other. */
  readonly scorers: readonly [ScorerKey, ...ScorerKey[]];
  /** The scorer that orders agents. */
  readonly headline: HeadlineKey;
  /** The scorer that says whether an attempt passed, behind pass@k, McNemar's test, votes and labels; null where attempts only have marks. */
  readonly verdict: VerdictKey | null;
  /** Which tools agents see where nobody chooses. */
  readonly defaultMounting: Mounting;
  /** How models call tools where nobody chooses. */
  readonly defaultLoop: ModelLoop;
}
