import { tallyFailedCallsOfSteps } from '#core/traces/failure-counts.ts';
import { listCallsWithSuccessFlag, valuePassingTransitions } from '#core/traces/tool-sequence.ts';
import type { Trace } from '#core/traces/trace.ts';
import type { EarlierExecution, ExecutionRecord, Unit } from './unit.ts';
import { makeWitness, unwitnessedSteps, witnessExtent, type Witness, type WitnessExtent } from './witness.ts';

/** Limits on the errors that a unit keeps of an execution: how many, and the characters of each. */
const mostErrors = 10;
const errorChars = 500;

/** Returns what a unit keeps of the execution of one request. */
export function makeExecutionRecord(trace: Trace, request: string, chain: readonly string[]): ExecutionRecord {
  const expected = new Set(chain);
  const calls = listCallsWithSuccessFlag(trace);
  return {
    calls,
    valuesPassed: valuePassingTransitions(trace, request).map(([from, to]): [string, string] => [from, to]),
    failures: tallyFailedCallsOfSteps(trace.steps),
    errors: trace.steps
      .filter(({ tool }, index) => expected.has(tool) && calls[index]?.ok === false)
      .slice(0, mostErrors)
      .map(({ tool, text }) => ({ tool, text: text.slice(0, errorChars) })),
    end: trace.end,
  };
}

/** Returns the witness of a unit's executions, and how much of its chain it covers. */
export function makeWitnessAndExtent(
  chain: readonly string[],
  { source, followUp }: Unit['executions'],
): { readonly witness: Witness; readonly extent: WitnessExtent } {
  const witness = makeWitness(chain, { source: source?.calls ?? [], followUp: followUp?.calls ?? [] });
  return { witness, extent: witnessExtent(chain, witness) };
}

/** Returns whether any call of the two attempts succeeded, expected or not. */
export const hasAnySuccessfulCall = ({ source, followUp }: Unit['executions']): boolean =>
  [source, followUp].some((record) => record?.calls.some(({ ok }) => ok) ?? false);

/** What a writer is told about an execution that carried out not all of the chain. */
export interface ExecutionDiagnosis {
  /** The steps, from 1, that neither request led to, and whether their tools were called at all. */
  readonly notCarriedOut: readonly { readonly step: number; readonly tool: string; readonly called: boolean }[];
  /** What the tools answered where they failed. */
  readonly errors: readonly { readonly request: string; readonly tool: string; readonly text: string }[];
}

/** Returns what a writer needs to know to reword a pair after its execution. */
export function makeExecutionDiagnosis(
  chain: readonly string[],
  { executions, witness }: Pick<EarlierExecution, 'executions' | 'witness'>,
): ExecutionDiagnosis {
  const sides = (['source', 'followUp'] as const).flatMap((request) => {
    const record = executions[request];
    return record === null ? [] : [{ request, record }];
  });
  const called = new Set(sides.flatMap(({ record }) => record.calls.map(({ tool }) => tool)));
  return {
    notCarriedOut: unwitnessedSteps(chain, witness).flatMap((step) => {
      const tool = chain[step - 1];
      return tool === undefined ? [] : [{ step, tool, called: called.has(tool) }];
    }),
    errors: sides.flatMap(({ request, record }) => record.errors.map(({ tool, text }) => ({ request, tool, text }))),
  };
}

/** Returns the faults of servers that spoilt calls, the first one of each server. */
export function listFirstFaultOfEachServer({ steps }: Trace): Unit['faults'] {
  const faults = new Map<string, Unit['faults'][number]>();
  for (const { fault } of steps)
    if (fault !== null && fault.where === 'server' && !faults.has(fault.name)) faults.set(fault.name, { ...fault });
  return [...faults.values()];
}
