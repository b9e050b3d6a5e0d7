import { meanOfScoredTrialsOrNull } from '#core/scoring/means.ts';
import type { RoutingError } from '#core/traces/error-class.ts';
import type { UnscoredReason } from '#core/scoring/score.ts';
import { failureClass, type FailureClass } from '#core/traces/failure.ts';
import { attemptScorerKeys, buildRecordByScorer, scoreParts, scorerKeys, type ScorerKey } from './scorers.ts';
import type { CallCounts } from '#core/catalog/call-counts.ts';
import type { AttemptFigures, CaseFigures } from './case-figures.ts';
import { listDisturbedPairs, type DisturbedPair } from './disturbance-figures.ts';
import type { OwnTools } from './own-tools.ts';

/** The sums over one agent's cases. `units` has the ids of its units in order; values by unit have the same indexes. */
export interface AgentFigures {
  readonly units: readonly string[];
  /** The mean over a unit's trials; NaN if none of them is scored. */
  readonly values: Readonly<Record<ScorerKey, Float64Array>>;
  /** By part of a score, in the order of `scoreParts`: the mean over a unit's trials; NaN if it is not known. */
  readonly parts: readonly Float64Array[];
  readonly trials: readonly (readonly TrialPass[])[];
  /** Calls by unit. */
  readonly calls: readonly CallCounts[];
  /** What the attempts at each unit took. */
  readonly efforts: readonly EffortSums[];
  readonly attempts: AttemptSums;
  readonly patterns: Counts<NonNullable<CaseFigures['pattern']>>;
  /** Its attempts under disturbances, each beside the undisturbed one; none where nothing was disturbed. */
  readonly disturbedPairs: readonly DisturbedPair[];
}

/** Whether each attempt of a trial passed, in the order of the requests; null if that is unscored. */
export interface TrialPass {
  readonly trial: number;
  readonly passed: readonly (boolean | null)[];
}

/** Counts names, which keep the order of their first occurrence. */
export type Counts<Name extends string> = ReadonlyMap<Name, number>;

/** Counts of responses of evaluated attempts. */
export interface AnswerSums {
  readonly given: number;
  /** Given without any call. */
  readonly withoutCalls: number;
  /** Those for which it is known whether they state a value that no call returned, and those that do. */
  readonly checked: number;
  readonly unreturned: number;
}

/** A sum over the attempts of which a number is known, and how many they are. */
export interface KnownSum {
  readonly sum: number;
  readonly n: number;
}

/** What evaluated attempts took: sums over those of which the number is known. */
export interface EffortSums {
  readonly turns: KnownSum;
  readonly tools: KnownSum;
  readonly routes: KnownSum;
  readonly calls: number;
}

/** Sums over attempts. */
export interface AttemptSums extends EffortSums {
  readonly made: number;
  readonly notEvaluated: number;
  readonly relaunched: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
  /** Durations of evaluated attempts only: how long a broken attempt hung says nothing. */
  readonly durationsMs: readonly number[];
  /** Attempts that searched for tools and have a verdict, and those of them that failed. */
  readonly searched: { readonly judged: number; readonly failed: number };
  readonly routingErrors: Counts<RoutingError>;
  readonly failedCalls: number;
  readonly reportedErrors: number;
  readonly spoiltCalls: number;
  readonly classes: AttemptFigures['classes'];
  readonly answers: AnswerSums;
  readonly ownTools: NonNullable<OwnTools>;
  readonly unscored: ReadonlyMap<keyof AttemptFigures['unscored'], Counts<UnscoredReason>>;
  readonly broken: Counts<string>;
}

/**
 * Sums up the cases of one agent. They must come by unit and trial, because the order in which they were made must not
 * change a resampling.
 */
export function collectAgentFigures(cases: Iterable<CaseFigures>): AgentFigures {
  const units: string[] = [];
  const values = buildRecordByScorer((): number[] => []);
  const parts = scoreParts.map((): number[] => []);
  const trials: TrialPass[][] = [];
  const calls: CallCounts[] = [];
  const efforts: EffortSums[] = [];
  const patterns = new Map<NonNullable<CaseFigures['pattern']>, number>();
  const attempts = new AttemptTally();
  const disturbedPairs: DisturbedPair[] = [];
  for (const own of groupConsecutiveByUnit(cases)) {
    units.push(own[0].unit);
    for (const key of scorerKeys)
      values[key].push(meanOfScoredTrialsOrNull(own.map((each) => each.values[key])) ?? Number.NaN);
    for (const [index, listed] of parts.entries())
      listed.push(meanOfScoredTrialsOrNull(own.map((each) => each.parts[index] ?? null)) ?? Number.NaN);
    trials.push(own.map(trialAndPassesOfCase));
    calls.push(sumCallCounts(own.flatMap((each) => each.attempts)));
    efforts.push(own.flatMap((each) => each.attempts).reduce(effortSumsWithAttempt, noEffort));
    disturbedPairs.push(...own.flatMap(listDisturbedPairs));
    for (const { pattern, attempts: made } of own) {
      if (pattern !== null) incrementCount(patterns, pattern);
      for (const each of made) attempts.countAttempt(each);
    }
  }
  return {
    units,
    values: buildRecordByScorer((key) => Float64Array.from(values[key])),
    parts: parts.map((listed) => Float64Array.from(listed)),
    trials,
    calls,
    efforts,
    attempts,
    patterns,
    disturbedPairs,
  };
}

/** Returns an agent's value of the unit at this place; null if it has none. */
export function unitValueAtOrNull(
  { values }: Pick<AgentFigures, 'values'>,
  key: ScorerKey,
  place: number,
): number | null {
  const value = values[key][place] ?? Number.NaN;
  return Number.isNaN(value) ? null : value;
}

const sumCallCounts = (attempts: readonly AttemptFigures[]): CallCounts => ({
  calls: attempts.reduce((sum, { calls }) => sum + calls, 0),
  failed: attempts.reduce((sum, { failedCalls }) => sum + failedCalls, 0),
  spoilt: attempts.reduce((sum, { spoiltCalls }) => sum + spoiltCalls, 0),
  reported: attempts.reduce((sum, { reportedErrors }) => sum + reportedErrors, 0),
});

/** Groups neighbouring cases of the same unit; cases that are not sorted by unit give several groups for one unit. */
export function* groupConsecutiveByUnit(cases: Iterable<CaseFigures>): Generator<[CaseFigures, ...CaseFigures[]]> {
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

export const trialAndPassesOfCase = ({ trial, attempts }: CaseFigures): TrialPass => ({
  trial,
  passed: attempts.map(({ passed }) => passed),
});

const none: KnownSum = { sum: 0, n: 0 };
const noEffort: EffortSums = { turns: none, tools: none, routes: none, calls: 0 };

const effortSumsWithAttempt = (
  before: EffortSums,
  { turns, tools, routes, calls, evaluated }: AttemptFigures,
): EffortSums => ({
  turns: knownSumWithValue(before.turns, turns),
  tools: knownSumWithValue(before.tools, evaluated ? tools : null),
  routes: knownSumWithValue(before.routes, routes),
  calls: before.calls + calls,
});

/** Returns the sums over the attempts at the units at these places. */
export const sumEffortsOfUnitsAtPlaces = (
  { efforts }: Pick<AgentFigures, 'efforts'>,
  places: readonly number[],
): EffortSums =>
  places.reduce((sums, index) => {
    const more = efforts[index] ?? noEffort;
    return {
      turns: addSums(sums.turns, more.turns),
      tools: addSums(sums.tools, more.tools),
      routes: addSums(sums.routes, more.routes),
      calls: sums.calls + more.calls,
    };
  }, noEffort);

const addSums = (one: KnownSum, other: KnownSum): KnownSum => ({ sum: one.sum + other.sum, n: one.n + other.n });

class AttemptTally implements AttemptSums {
  made = 0;
  notEvaluated = 0;
  relaunched = 0;
  promptTokens = 0;
  completionTokens = 0;
  costUsd = 0;
  calls = 0;
  failedCalls = 0;
  reportedErrors = 0;
  spoiltCalls = 0;
  readonly ownTools = { calls: 0, attempts: 0, instead: 0 };
  readonly answers = { given: 0, withoutCalls: 0, checked: 0, unreturned: 0 };
  readonly durationsMs: number[] = [];
  turns = noEffort.turns;
  tools = noEffort.tools;
  routes = noEffort.routes;
  readonly searched = { judged: 0, failed: 0 };
  readonly routingErrors = new Map<RoutingError, number>();
  readonly classes: Partial<Record<FailureClass, number>> = {};
  readonly unscored = new Map<keyof AttemptFigures['unscored'], Map<UnscoredReason, number>>();
  readonly broken = new Map<string, number>();

  countAttempt(attempt: AttemptFigures): void {
    this.made += 1;
    ({
      turns: this.turns,
      tools: this.tools,
      routes: this.routes,
      calls: this.calls,
    } = effortSumsWithAttempt(this, attempt));
    if (attempt.evaluated) this.durationsMs.push(attempt.durationMs);
    else this.notEvaluated += 1;
    if (attempt.relaunched) this.relaunched += 1;
    this.promptTokens += attempt.promptTokens;
    this.completionTokens += attempt.completionTokens;
    this.costUsd += attempt.costUsd;
    if (attempt.routes !== null && attempt.passed !== null) {
      this.searched.judged += 1;
      if (!attempt.passed) this.searched.failed += 1;
    }
    if (attempt.routingError !== null) incrementCount(this.routingErrors, attempt.routingError);
    this.#countAnswer(attempt);
    this.failedCalls += attempt.failedCalls;
    this.reportedErrors += attempt.reportedErrors;
    this.spoiltCalls += attempt.spoiltCalls;
    for (const name of failureClass.options) {
      const more = attempt.classes[name];
      if (more !== undefined) this.classes[name] = (this.classes[name] ?? 0) + more;
    }
    for (const key of attemptScorerKeys) {
      const reason = attempt.unscored[key];
      if (reason === undefined || reason === 'not-asked') continue;
      const reasons = this.unscored.get(key) ?? new Map<UnscoredReason, number>();
      this.unscored.set(key, reasons);
      incrementCount(reasons, reason);
    }
    if (attempt.broken !== null) incrementCount(this.broken, attempt.broken);
  }

  #countAnswer({ answered, unreturned, calls, ownCalls }: AttemptFigures): void {
    this.ownTools.calls += ownCalls;
    if (ownCalls > 0) this.ownTools.attempts += 1;
    if (ownCalls > 0 && answered && calls === 0) this.ownTools.instead += 1;
    if (answered) this.answers.given += 1;
    if (answered && calls === 0) this.answers.withoutCalls += 1;
    if (unreturned !== null) this.answers.checked += 1;
    if (unreturned === true) this.answers.unreturned += 1;
  }
}

const knownSumWithValue = ({ sum, n }: KnownSum, value: number | null): KnownSum =>
  value === null ? { sum, n } : { sum: sum + value, n: n + 1 };

function incrementCount<Name extends string>(counts: Map<Name, number>, name: Name, more = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}
