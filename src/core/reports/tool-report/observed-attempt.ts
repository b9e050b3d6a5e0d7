import { z } from 'zod';
import { failureVerdict, type FailureClass } from '#core/traces/failure.ts';
import { reportedError } from '#core/traces/reported-error.ts';
import { hasSucceeded } from '#core/traces/step-outcome.ts';
import { step } from '#core/traces/trace.ts';

/** A call as the report on tools counts it. */
export interface ObservedCall {
  /** `server/tool`, or what the agent wrote. */
  readonly tool: string;
  /** `unanswered`: the environment gave no usable answer, which says nothing about the tool. */
  readonly outcome: 'success' | 'failure' | 'unanswered';
  /** The class of a failure, null if none was decided. */
  readonly failure: FailureClass | null;
  /** The beginning of what the tool answered. */
  readonly text: string;
  readonly latencyMs: number;
}

/** An attempt at a request that a chain of tools is expected to fulfil, or that no tool fits. */
export interface ObservedAttempt {
  /** The unit; the attempts of one unit resemble each other, so intervals take units as their sample. */
  readonly unit: string;
  readonly expected: readonly string[];
  /** Whether no tool fits the request; absent if one does. */
  readonly isNegative?: boolean;
  readonly calls: readonly ObservedCall[];
}

/** What the report on tools reads of a step of a trace; what it lacks is null. */
export const observedStep = z.object({
  tool: z.string(),
  outcome: step.shape.outcome,
  cause: z.string().nullable(),
  reported: reportedError.nullable(),
  failure: failureVerdict.nullable(),
  text: z.string().nullable(),
  latencyMs: z.number(),
});

/** Returns a step as the report counts it. */
export function makeObservedCall({ tool, reported, ...of }: z.infer<typeof observedStep>): ObservedCall {
  const isUnanswered = of.outcome === 'fault' || of.cause === 'environment';
  const succeeded = hasSucceeded({ outcome: of.outcome, reported: reported ?? undefined });
  return {
    tool,
    outcome: isUnanswered ? 'unanswered' : succeeded ? 'success' : 'failure',
    failure: of.failure === null || of.failure.source === 'undecided' ? null : of.failure.class,
    text: of.text ?? '',
    latencyMs: of.latencyMs,
  };
}
