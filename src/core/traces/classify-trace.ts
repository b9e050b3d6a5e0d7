import { classifyFailure, type FailureContext } from './classify-failure.ts';
import type { FailureClass, FailureVerdict } from './failure.ts';
import type { Step, Trace } from './trace.ts';

/** What a judge said of a failed call; `step` is its place in the trace, from 0. */
export interface JudgedFailure {
  readonly step: number;
  readonly class: FailureClass;
  readonly why: string;
}

/** The trace with every failed call classified as far as rules go. What is decided already stays as it is. */
export const classified = (trace: Trace, context: (step: Step) => FailureContext): Trace =>
  decided(trace, (step) => classifyFailure(step, context(step)));

/** The trace with a judge's classes for the failed calls that no rule decided; others of its classes are passed over. */
export const withClasses = (trace: Trace, classes: readonly JudgedFailure[]): Trace => {
  const byPlace = new Map(classes.map((judged) => [judged.step, judged]));
  return decided(trace, (_step, place) => {
    const judged = byPlace.get(place);
    return judged === undefined ? { source: 'undecided' } : { source: 'model', class: judged.class, why: judged.why };
  });
};

/** Whether a step is a failed call whose class is still open. */
export const isUndecided = ({ failure }: Step): boolean => failure?.source === 'undecided';

const decided = (trace: Trace, verdict: (step: Step, place: number) => FailureVerdict): Trace => ({
  ...trace,
  steps: trace.steps.map((step, place) => (isUndecided(step) ? { ...step, failure: verdict(step, place) } : step)),
});
