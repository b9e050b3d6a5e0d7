import type { z } from 'zod';
import { serverNameOfToolName } from '#core/catalog/tool.ts';
import type { UnitDetail } from '#core/exploration/record.ts';
import type { CaseDetail } from '#core/evaluation/record.ts';
import type { failureClass } from '#core/traces/failure.ts';
import { hasFailed, hasSucceeded } from '#core/traces/step-outcome.ts';
import type { Trace } from '#core/traces/trace.ts';

const undecided = 'undecided';

/** A call as it is counted, and as a person reads it. */
export interface MeasuredCall {
  readonly server: string;
  readonly tool: string;
  /** `exploration`, or the name of the evaluated agent. */
  readonly by: string;
  /** `success` means that neither the server nor the text of the result says otherwise. */
  readonly outcome: 'success' | 'failure' | 'fault';
  /** The rule that found an error in the text of a call which its server marked as a success. */
  readonly reported: string | null;
  /** The class of a failure; `undecided` where nothing decided it. Null for everything else. */
  readonly failure: z.infer<typeof failureClass> | typeof undecided | null;
  /** What decided the class: the name of a rule, or `judge`. */
  readonly decidedBy: string | null;
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly text: string;
}

/** Returns the calls of both executions of an explored unit. */
export const callsOfUnit = ({ traces }: UnitDetail): MeasuredCall[] =>
  [traces.source, traces.followUp].flatMap((trace) => (trace === null ? [] : callsOfTrace(trace, 'exploration')));

/** Returns the calls of all attempts of a case. */
export const callsOfCase = ({ case: { agent }, traces }: CaseDetail): MeasuredCall[] =>
  Object.values(traces).flatMap((trace) => callsOfTrace(trace, agent));

const callsOfTrace = ({ steps }: Trace, by: string): MeasuredCall[] =>
  steps.map((step) => {
    const { tool, failure, reported, text } = step;
    return {
      server: serverNameOfToolName(tool),
      tool,
      by,
      outcome: hasSucceeded(step) ? 'success' : hasFailed(step) ? 'failure' : 'fault',
      reported: reported?.rule ?? null,
      failure: failure === null ? null : failure.source === undecided ? undecided : failure.class,
      decidedBy:
        failure === null || failure.source === undecided ? null : failure.source === 'rule' ? failure.rule : 'judge',
      arguments: step.arguments,
      text,
    };
  });
