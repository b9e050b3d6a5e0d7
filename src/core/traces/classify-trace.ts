import { classifyFailure, type FailureContext } from './classify-failure.ts';
import type { FailureClass, FailureVerdict } from './failure.ts';
import type { Step, Trace } from './trace.ts';

/** A judge's verdict on a failed call; `step` is its index in the trace, from 0. */
export interface JudgedFailure {
  readonly step: number;
  readonly class: FailureClass;
  readonly why: string;
}

/** Classifies the failed calls of a trace as far as rules go. Existing verdicts stay. */
export const classifyTraceByRules = (trace: Trace, context: (step: Step) => FailureContext): Trace =>
  withVerdicts(trace, (step) => classifyFailure(step, context(step)));

/** Adds a judge's classes for the failed calls that no rule decided, and ignores its other classes. */
export const withJudgedClasses = (trace: Trace, classes: readonly JudgedFailure[]): Trace => {
  const byPlace = new Map(classes.map((judged) => [judged.step, judged]));
  return withVerdicts(trace, (_step, place) => {
    const judged = byPlace.get(place);
    return judged === undefined ? { source: 'undecided' } : { source: 'model', class: judged.class, why: judged.why };
  });
};

/** Returns whether a step is a failed call without a class. */
export const isUndecided = ({ failure }: Step): boolean => failure?.source === 'undecided';

const withVerdicts = (trace: Trace, verdict: (step: Step, place: number) => FailureVerdict): Trace => ({
  ...trace,
  steps: trace.steps.map((step, place) => (isUndecided(step) ? { ...step, failure: verdict(step, place) } : step)),
});
