import { classifyFailedCallByRules, type FailureContext } from './classify-failure.ts';
import type { JudgedClass } from './failure-answer.ts';
import type { FailureVerdict } from './failure.ts';
import type { ReportedError } from './reported-error.ts';
import type { Step, Trace } from './trace.ts';

/** A judge's verdict on a call; `step` is its index in the trace, from 0. */
export interface JudgedFailure {
  readonly step: number;
  readonly class: JudgedClass;
  readonly why: string;
}

/** Classifies the failed calls of a trace as far as rules go. Existing verdicts stay. */
export const traceWithFailuresClassifiedByRules = (trace: Trace, context: (step: Step) => FailureContext): Trace =>
  traceWithVerdictsOnUndecidedSteps(trace, (step) => classifyFailedCallByRules(step, context(step)));

/**
 * Adds a judge's verdicts: the classes of failed calls that no rule decided, and whether reported errors are errors.
 * Classes by rule stay.
 */
export const traceWithJudgedFailures = (trace: Trace, classes: readonly JudgedFailure[]): Trace => {
  const byPlace = new Map(classes.map((judged) => [judged.step, judged]));
  return {
    ...trace,
    steps: trace.steps.map((step, place) => {
      const judged = byPlace.get(place);
      return judged === undefined ? step : stepWithJudgement(step, judged);
    }),
  };
};

const stepWithJudgement = (step: Step, judged: JudgedFailure): Step => {
  const reported = reportedErrorAfterVerdict(step.reported, judged.class);
  if (reported?.judged === 'overruled') return { ...step, reported, failure: null };
  const marked = reported === undefined ? step : { ...step, reported };
  return isFailureWithoutClass(step) ? { ...marked, failure: verdictOfJudge(judged) } : marked;
};

/** Returns a reported error after a judge's verdict on its call; undefined if the call reported none. */
export const reportedErrorAfterVerdict = (
  reported: ReportedError | undefined,
  judged: JudgedClass,
): ReportedError | undefined =>
  reported === undefined
    ? undefined
    : { rule: reported.rule, judged: judged === 'no-failure' ? 'overruled' : 'confirmed' };

const verdictOfJudge = ({ class: judged, why }: JudgedFailure): FailureVerdict =>
  judged === 'unclear' || judged === 'no-failure'
    ? { source: 'undecided', why }
    : { source: 'model', class: judged, why };

/** Returns whether a step is a failed call without a class. */
export const isFailureWithoutClass = ({ failure }: Step): boolean => failure?.source === 'undecided';

/** Returns whether a judge has something to say about a step: the class of its failure, or whether it is one. */
export const mayJudgeDecideStep = (step: Step): boolean =>
  step.reported === undefined ? isFailureWithoutClass(step) : step.reported.judged === undefined;

const traceWithVerdictsOnUndecidedSteps = (
  trace: Trace,
  verdict: (step: Step, place: number) => FailureVerdict,
): Trace => ({
  ...trace,
  steps: trace.steps.map((step, index) =>
    isFailureWithoutClass(step) ? { ...step, failure: verdict(step, index) } : step,
  ),
});
