import type { TokenCounts } from '#core/exploration/estimates/cost-estimate.ts';
import type { RequestName } from './case-requests.ts';
import type { ModelLoop } from './loops.ts';
import type { Mounting } from '#core/units/mounting/mounting.ts';
import type { Scorer } from '#core/scoring/scorer.ts';

/** What a unit asks: `pair`, one intent in two requests; `task`, one request with what counts as its success. */
export type UnitKind = 'pair' | 'task';

/** What judging an attempt takes: a mean that was measured (docs/measurements.md#what-units-and-attempts-take). */
export interface JudgingTokens {
  /** All that the evaluation's own judge is asked. */
  readonly judge: TokenCounts;
  /** What a member of the panel is asked besides. */
  readonly panelMember: TokenCounts;
  readonly embedder: TokenCounts;
}

/** How units are evaluated, after a paper. */
export interface Protocol<
  Key extends string = string,
  HeadlineKey extends string = string,
  VerdictKey extends string = string,
> {
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
  readonly scorers: readonly [Scorer, ...Scorer[]];
  /** The key of the scorer that orders agents. */
  readonly headline: HeadlineKey;
  /** The key of the scorer that says whether an attempt passed, behind pass@k, McNemar's test, votes and labels; null where attempts only have marks. */
  readonly verdict: VerdictKey | null;
  /** The mountings that its figures are given for. Agents have the first where nobody chooses. */
  readonly mountings: readonly [Mounting, ...Mounting[]];
  /** How models call tools where nobody chooses. */
  readonly defaultLoop: ModelLoop;
  /**
   * What follows where an endpoint takes fewer functions than there are tools: `route` refuses and names the loop `routing`, `fall-back`
   * continues with the tools in the prompt.
   */
  readonly ifTooManyTools: 'route' | 'fall-back';
  readonly judging: JudgingTokens;
}

/** What nobody is asked takes nothing. */
export const noTokens: TokenCounts = { promptTokens: 0, completionTokens: 0 };
