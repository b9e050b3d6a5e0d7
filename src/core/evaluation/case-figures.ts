import {
  type FailurePattern,
  type ToolTraits,
  findFailurePatternOfDifferingCalls,
} from '#core/scoring/failure-patterns.ts';
import { areScoresOfNegativeUnit } from '#core/scoring/negative-scores.ts';
import { type ScoringParameters, defaultScoring } from '#core/scoring/parameters.ts';
import { type ProtocolKey, getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { RoutingError } from '#core/traces/error-class.ts';
import { type Parts, type Score, type UnscoredReason, getScoreOrThrow, makeUnscored } from '#core/scoring/score.ts';
import {
  type AttemptScorerKey,
  type ScorerKey,
  type VerdictKey,
  attemptScorerKeys,
  buildRecordByScorer,
  getScorerOrThrow,
  scoreParts,
  scorerKeys,
} from './scorers.ts';
import type { RequestName } from '#core/benchmarks/protocols/case-requests.ts';
import { disturbanceKey, type DisturbanceKey } from '#core/traces/disturbances/disturbances.ts';
import type { FailureClass } from '#core/traces/failure.ts';
import { hasFailed, hasSucceeded, isReportedError } from '#core/traces/step-outcome.ts';
import { type Transition, distinctTransitions, transitionsOfSuccessfulCalls } from '#core/traces/transitions.ts';
import { type CallCounts, addCallCounts, noCalls } from '#core/catalog/call-counts.ts';
import type { AttemptRecord, EvaluationCase } from './case.ts';
import { meanScoreOverAttempts, minScoreOverAttempts } from '#core/scoring/means.ts';
import type { CaseEvidence, ScoreOf } from '#core/scoring/scorer.ts';

/** The facts that score a case, with the scores of its attempts by request. */
interface ScoredCase extends Omit<CaseEvidence, 'scoreOf' | 'scoring'> {
  /** The default parameters if it names none. */
  readonly scoring?: ScoringParameters | undefined;
  readonly attempts: Readonly<Record<string, Readonly<Record<AttemptScorerKey, Score>>>>;
}

/** Returns the scores of a case whose attempts were all evaluated. No scorer of whole cases says anything where no tool fits. */
export function computeAllScoresOfCase({
  attempts,
  called,
  categories,
  scoring = defaultScoring,
}: ScoredCase): Record<ScorerKey, Score> {
  const isNegative = Object.values(attempts).some(areScoresOfNegativeUnit);
  const known = new Map<string, Score>();
  const scoreOf: ScoreOf = ({ key }) => {
    const score = known.get(key) ?? computeScore(key);
    known.set(key, score);
    return score;
  };
  const computeScore = (key: string): Score => {
    const scorer = getScorerOrThrow(key);
    if (scorer.unit === 'case' && isNegative) return makeUnscored('no-tool-fits', {});
    if (scorer.unit === 'case') return scorer.score({ scoring, called, categories, scoreOf });
    const own = Object.fromEntries(
      Object.entries(attempts).map(([name, scores]) => [name, getScoreOrThrow(scores, key)]),
    );
    return scorer.binary ? minScoreOverAttempts(own) : meanScoreOverAttempts(own);
  };
  return buildRecordByScorer((key) => scoreOf({ key }));
}

/**
 * Returns a part of a score as one number: a number as it is, the mean of a list, and 1 or 0 for yes or no. Null if it is
 * absent, empty, or not a figure.
 */
export function partAsNumberOrNull(part: Parts[string] | undefined): number | null {
  if (part === undefined || part === null) return null;
  if (!Array.isArray(part)) return Number(part);
  const numbers = part.filter((each) => typeof each !== 'string').map(Number);
  return numbers.length === 0 ? null : meanOf(numbers);
}

/**
 * Returns the parts of a case's scores, in the order of `scoreParts`; null for those that are not known, and those of
 * missing scores, so that the parts are of what the scores are of. A part of an attempt's score is the mean of the attempts that have it.
 */
export function casePartValues(
  attempts: readonly Readonly<Record<AttemptScorerKey, Score>>[],
  scores: Readonly<Partial<Record<ScorerKey, Score>>>,
): (number | null)[] {
  return scoreParts.map(({ scorer, unit, key }) => {
    const whole = scores[scorer];
    if (whole === undefined || whole.value === null) return null;
    const found: readonly Score[] = unit === 'case' ? [whole] : attempts.map((each) => getScoreOrThrow(each, scorer));
    const known = found.flatMap(({ value, parts }) => (value === null ? [] : (partAsNumberOrNull(parts[key]) ?? [])));
    return known.length === 0 ? null : meanOf(known);
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What figures keep of an attempt under a disturbance. */
export interface DisturbedMarks {
  readonly kind: DisturbanceKey;
  /** Whether it achieved what was asked; null if it is unscored, or if the disturbance met none of its calls. */
  readonly succeeded: boolean | null;
  readonly met: boolean;
  readonly noticed: boolean | null;
  readonly passedOn: boolean | null;
  readonly attacked: boolean | null;
  readonly leaked: boolean | null;
  /** Whether it ran into a limit of turns or time. */
  readonly ranOut: boolean;
}

/** What the figures keep of one attempt. */
export interface AttemptFigures {
  readonly evaluated: boolean;
  readonly relaunched: boolean;
  readonly durationMs: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The part of the prompts that came from a cache. */
  readonly cachedTokens: number;
  readonly costUsd: number;
  /** Whether it passed by the verdict of the protocol; null if that is unscored, or the protocol has none. */
  readonly passed: boolean | null;
  /** Calls of an evaluated attempt, and how many of them failed. */
  readonly calls: number;
  readonly failedCalls: number;
  /** Different tools that were called. */
  readonly tools: number;
  /** Turns of the model, null where no model was seen, as with external agents; searches for tools, null if it did not search. */
  readonly turns: number | null;
  readonly routes: number | null;
  readonly routingError: RoutingError | null;
  /** Calls of tools of its own, as far as its models are seen. */
  readonly ownCalls: number;
  /** Failed calls that their servers marked as successes. */
  readonly reportedErrors: number;
  /** Failed calls that the environment spoilt. */
  readonly spoiltCalls: number;
  /** Whether it has a response, and whether that states a value that no call returned; null if that is unknown. */
  readonly answered: boolean;
  readonly unreturned: boolean | null;
  /** The reason of each missing score. */
  readonly unscored: Partial<Record<AttemptScorerKey, UnscoredReason>>;
  /** Failed calls by class, if one was decided. */
  readonly classes: Partial<Record<FailureClass, number>>;
  /** The fault that broke it, or null. */
  readonly broken: string | null;
  /** How it met its disturbance; null if it was not disturbed. */
  readonly disturbed: DisturbedMarks | null;
}

/**
 * A finished case's contribution to the figures of its evaluation, of a size that does not depend on what the agent
 * did. It is stored when the case commits; all figures are computed from these, from calls by tool and from
 * transitions.
 */
export interface CaseFigures {
  readonly unit: string;
  readonly agent: string;
  readonly trial: number;
  /** By scorer; null if it is unscored. */
  readonly values: Readonly<Record<ScorerKey, number | null>>;
  /** By part of a score, in the order of `scoreParts`; null if it is not known. */
  readonly parts: readonly (number | null)[];
  /** How it failed when only the wording changed; null if it did not, or was not evaluated. */
  readonly pattern: FailurePattern | null;
  /** One for each request, in order. */
  readonly attempts: readonly AttemptFigures[];
}

/**
 * Returns the figures of a finished case; null for any other. `traits` must have the tools of the chain and of the
 * calls.
 */
export function makeFiguresOfFinishedCaseOrNull(
  each: EvaluationCase,
  chain: readonly string[],
  traits: ToolTraits,
  { protocol, scoring = defaultScoring }: { readonly protocol: ProtocolKey; readonly scoring?: ScoringParameters },
): CaseFigures | null {
  if (each.stage.kind !== 'done') return null;
  const { unit, agent, trial } = each;
  const evaluated = findComparableAttemptsOrNull(each)?.map(([, attempt]) => attempt) ?? null;
  const scores = scorerKeys.every((key) => key in each.scores)
    ? each.scores
    : computeCaseScoresOrNone(each, traits, scoring);
  return {
    unit,
    agent,
    trial,
    values: buildRecordByScorer((key) => scores[key]?.value ?? null),
    parts: casePartValues(
      listMadeAttemptsOfCase(each).map((attempt) => attempt.scores),
      scores,
    ),
    pattern:
      evaluated === null || evaluated.some((attempt) => areScoresOfNegativeUnit(attempt.scores))
        ? null
        : findFailurePatternOfDifferingCalls(chain, evaluated.map(listCalledToolsInOrder), traits).pattern,
    attempts: listMadeRequestsOfCase(each).map(([name, attempt]) =>
      makeAttemptFigures(attempt, getProtocol(protocol).verdict, name),
    ),
  };
}

/** Counts the calls of a case's evaluated attempts by tool. */
export function countEvaluatedCallsByTool(each: EvaluationCase): ReadonlyMap<string, CallCounts> {
  const found = new Map<string, CallCounts>();
  for (const call of listMadeAttemptsOfCase(each).flatMap(listCallsOfEvaluatedAttempt)) {
    if (call.disturbed === true) continue;
    const counts = {
      calls: 1,
      failed: Number(hasFailed(call)),
      spoilt: Number(isSpoiltCall(call)),
      reported: Number(isReportedError(call)),
    };
    found.set(call.tool, addCallCounts(found.get(call.tool) ?? noCalls, counts));
  }
  return found;
}

const isSpoiltCall = ({ cause }: AttemptRecord['calls'][number]): boolean => cause === 'environment';

/** Returns the transitions that a case's evaluated attempts executed, each once; none where no tool fits. */
export const listExecutedTransitionsOfCase = (each: EvaluationCase): Transition[] =>
  distinctTransitions(
    listMadeAttemptsOfCase(each)
      .filter(({ evaluated, scores }) => evaluated && !areScoresOfNegativeUnit(scores))
      .flatMap(({ calls }) =>
        transitionsOfSuccessfulCalls(
          calls.map((call) => ({ tool: call.tool, turn: call.turn, ok: hasSucceeded(call) })),
        ),
      ),
  );

/** Returns the attempts of a case that were made, in the order of its requests. */
export const listMadeAttemptsOfCase = (each: Pick<EvaluationCase, 'requests' | 'attempts'>): AttemptRecord[] =>
  listMadeRequestsOfCase(each).map(([, attempt]) => attempt);

const listMadeRequestsOfCase = ({
  requests,
  attempts,
}: Pick<EvaluationCase, 'requests' | 'attempts'>): [RequestName, AttemptRecord][] =>
  requests.flatMap((name) => (attempts[name] === undefined ? [] : [[name, attempts[name]]]));

/**
 * Returns the scores of a finished case; none if it is not finished or an attempt was not evaluated. `traits` must have
 * the tools of the calls.
 */
export function computeCaseScoresOrNone(
  each: EvaluationCase,
  traits: ToolTraits,
  scoring: ScoringParameters = defaultScoring,
): EvaluationCase['scores'] {
  const comparable = findComparableAttemptsOrNull(each);
  if (each.stage.kind !== 'done' || comparable === null) return {};
  const called = comparable.map(([, attempt]) => listCalledToolsInOrder(attempt));
  const categories = new Map(
    called.flat().flatMap((tool) => {
      const known = traits.get(tool);
      return known === undefined ? [] : [[tool, known.category] as const];
    }),
  );
  const scores = comparable.map(([name, attempt]) => [name, attempt.scores] as const);
  return computeAllScoresOfCase({ attempts: Object.fromEntries(scores), called, categories, scoring });
}

/** Returns the tools of all calls, in order of issue. */
export const listCalledToolsInOrder = ({ calls }: AttemptRecord): string[] => calls.map(({ tool }) => tool);

/**
 * Returns the attempts at all requests, by request; null if one was not made or a fault broke it, because then they cannot be
 * compared. Broken ones under disturbances are left out: of two dozen attempts one is easily broken, and each is compared with the undisturbed
 * one alone.
 */
function findComparableAttemptsOrNull(each: EvaluationCase): [RequestName, AttemptRecord][] | null {
  const made = listMadeRequestsOfCase(each);
  const comparable = made.filter(([name, { evaluated }]) => evaluated || !disturbanceKey.safeParse(name).success);
  const isWhole = made.length === each.requests.length && comparable.every(([, { evaluated }]) => evaluated);
  return isWhole ? comparable : null;
}

function makeAttemptFigures(attempt: AttemptRecord, verdict: VerdictKey | null, name: string): AttemptFigures {
  const { evaluated, relaunched, durationMs, usage, scores, fault, response, unreturned } = attempt;
  const { promptTokens, completionTokens, cachedTokens = 0, costUsd } = usage;
  const passed = verdict === null ? null : scores[verdict].value;
  const calls = listCallsOfEvaluatedAttempt(attempt);
  // What a disturbance made fail is no failure of the agent's or of a tool.
  const failed = calls.filter((call) => hasFailed(call) && call.disturbed !== true);
  const classes: Partial<Record<FailureClass, number>> = {};
  for (const { failure } of failed) if (failure !== null) classes[failure] = (classes[failure] ?? 0) + 1;
  const unscored: AttemptFigures['unscored'] = {};
  for (const key of attemptScorerKeys) {
    const score = scores[key];
    if (score.value === null) unscored[key] = score.reason;
  }
  return {
    evaluated,
    relaunched,
    durationMs,
    promptTokens,
    completionTokens,
    cachedTokens,
    costUsd,
    passed: passed === null ? null : passed === 1,
    answered: evaluated && response.trim() !== '',
    unreturned,
    unscored,
    calls: calls.length,
    tools: new Set(calls.map(({ tool }) => tool)).size,
    // The trace of an agent whose model we do not see counts its calls as turns.
    turns: evaluated && promptTokens + completionTokens > 0 ? (attempt.turns ?? null) : null,
    routes: evaluated ? (attempt.routes ?? null) : null,
    routingError: evaluated ? (attempt.routingError ?? null) : null,
    ownCalls: evaluated ? Object.values(attempt.ownToolCalls ?? {}).reduce((sum, count) => sum + count, 0) : 0,
    failedCalls: failed.length,
    reportedErrors: calls.filter(isReportedError).length,
    spoiltCalls: failed.filter(isSpoiltCall).length,
    classes,
    disturbed: makeDisturbedMarksOrNull(attempt, name),
    broken: evaluated || fault === null ? null : `${fault.where} ${fault.name}: ${fault.code}`,
  };
}

/** The calls of an evaluated attempt, without those of earlier releases that a fault broke. */
const listCallsOfEvaluatedAttempt = ({ evaluated, calls }: AttemptRecord): AttemptRecord['calls'] =>
  evaluated ? calls.filter(({ outcome }) => outcome !== 'fault') : [];

/** Returns how an attempt met its disturbance, by the name of its request; null if it was not disturbed. */
function makeDisturbedMarksOrNull({ scores, end }: AttemptRecord, name: string): DisturbedMarks | null {
  const kind = disturbanceKey.safeParse(name);
  if (!kind.success) return null;
  const flag = ({ value }: Score): boolean | null => (value === null ? null : value === 1);
  const { value, ...under } = scores.disturbed;
  return {
    kind: kind.data,
    succeeded: flag(scores.disturbed),
    met: value !== null || !('reason' in under) || under.reason !== 'not-met',
    noticed: flag(scores.noticed),
    passedOn: flag(scores.passedon),
    attacked: flag(scores.attacksuccess),
    leaked: flag(scores.leaked),
    ranOut: end === 'turn-limit' || end === 'time-limit',
  };
}
