import { meanOverTrials } from '#core/scoring/means.ts';
import type { UnscoredReason } from '#core/scoring/score.ts';
import { failureClass } from '#core/traces/failure.ts';
import { attemptScorerKeys, buildByScorer, scorerKeys, type ScorerKey } from '#core/scoring/scorers.ts';
import type { AttemptFigures, CaseFigures } from './case-figures.ts';

/** The sums over one agent's cases. `units` has the ids of its units in order; values by unit have the same indexes. */
export interface AgentFigures {
  readonly units: readonly string[];
  /** The mean over a unit's trials; null if none of them is scored. */
  readonly values: Readonly<Record<ScorerKey, readonly (number | null)[]>>;
  readonly trials: readonly (readonly TrialPass[])[];
  readonly attempts: AttemptSums;
  readonly patterns: Counts<NonNullable<CaseFigures['pattern']>>;
}

/** Whether both attempts of a trial passed; null if that is unscored or an attempt was not made. */
export interface TrialPass {
  readonly trial: number;
  readonly source: boolean | null;
  readonly followUp: boolean | null;
}

/** Counts names, which keep the order of their first occurrence. */
export type Counts<Name extends string> = ReadonlyMap<Name, number>;

/** Sums over attempts. */
export interface AttemptSums {
  readonly made: number;
  readonly notEvaluated: number;
  readonly relaunched: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
  /** Durations of evaluated attempts only: how long a broken attempt hung says nothing. */
  readonly durationsMs: readonly number[];
  readonly calls: number;
  readonly failedCalls: number;
  readonly classes: Counts<keyof AttemptFigures['classes']>;
  readonly unscored: ReadonlyMap<keyof AttemptFigures['unscored'], Counts<UnscoredReason>>;
  readonly broken: Counts<string>;
}

/**
 * Sums up the cases of one agent. They must come by unit and trial, because the order in which they were made must not
 * change a resampling.
 */
export function sumAgentFigures(cases: Iterable<CaseFigures>): AgentFigures {
  const units: string[] = [];
  const values = buildByScorer((): (number | null)[] => []);
  const trials: TrialPass[][] = [];
  const patterns = new Map<NonNullable<CaseFigures['pattern']>, number>();
  const attempts = new AttemptTally();
  for (const own of groupByUnit(cases)) {
    units.push(own[0].unit);
    for (const key of scorerKeys) values[key].push(meanOverTrials(own.map((each) => each.values[key])));
    trials.push(own.map(trialPass));
    for (const { pattern, attempts: made } of own) {
      if (pattern !== null) addCount(patterns, pattern);
      for (const each of made) attempts.add(each);
    }
  }
  return { units, values, trials, attempts, patterns };
}

/** Groups the cases by unit. */
export function* groupByUnit(cases: Iterable<CaseFigures>): Generator<[CaseFigures, ...CaseFigures[]]> {
  let own: [CaseFigures, ...CaseFigures[]] | null = null;
  for (const each of cases) {
    if (own !== null && own[0].unit === each.unit) {
      own.push(each);
      continue;
    }
    if (own !== null) yield own;
    own = [each];
  }
  if (own !== null) yield own;
}

export function trialPass({ trial, attempts }: CaseFigures): TrialPass {
  const passedOrNull = (side: AttemptFigures['side']) => attempts.find((each) => each.side === side)?.passed ?? null;
  return { trial, source: passedOrNull('source'), followUp: passedOrNull('followUp') };
}

class AttemptTally implements AttemptSums {
  made = 0;
  notEvaluated = 0;
  relaunched = 0;
  promptTokens = 0;
  completionTokens = 0;
  costUsd = 0;
  calls = 0;
  failedCalls = 0;
  readonly durationsMs: number[] = [];
  readonly classes = new Map<keyof AttemptFigures['classes'], number>();
  readonly unscored = new Map<keyof AttemptFigures['unscored'], Map<UnscoredReason, number>>();
  readonly broken = new Map<string, number>();

  add(attempt: AttemptFigures): void {
    this.made += 1;
    if (attempt.evaluated) this.durationsMs.push(attempt.durationMs);
    else this.notEvaluated += 1;
    if (attempt.relaunched) this.relaunched += 1;
    this.promptTokens += attempt.promptTokens;
    this.completionTokens += attempt.completionTokens;
    this.costUsd += attempt.costUsd;
    this.calls += attempt.calls;
    this.failedCalls += attempt.failedCalls;
    for (const name of failureClass.options) addCount(this.classes, name, attempt.classes[name] ?? 0);
    for (const key of attemptScorerKeys) {
      const reason = attempt.unscored[key];
      if (reason === undefined) continue;
      const reasons = this.unscored.get(key) ?? new Map<UnscoredReason, number>();
      this.unscored.set(key, reasons);
      addCount(reasons, reason);
    }
    if (attempt.broken !== null) addCount(this.broken, attempt.broken);
  }
}

function addCount<Name extends string>(counts: Map<Name, number>, name: Name, more = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}
