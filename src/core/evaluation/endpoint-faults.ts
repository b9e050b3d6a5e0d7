import type { CaseResult } from './case.ts';

/** How often the endpoint of a submission may break an attempt that it was given, and have it made again. */
const forgivenFaults = 1;

/** Returns whether the agent's own model broke an attempt that is made here. */
export const isEndpointFault = (result: CaseResult): boolean =>
  result.kind === 'attempt' &&
  result.elsewhere === undefined &&
  result.fault?.where === 'model' &&
  result.fault.name !== 'judge';

/**
 * Returns the result of an attempt of a submission, before which its endpoint broke so many: after the first one, a fault counts as a
 * failure of the agent. Otherwise an endpoint that sees what it is asked could break on what it cannot do, and be asked again.
 */
export function resultWithCountedFault(result: CaseResult, earlier: number): CaseResult {
  if (result.kind !== 'attempt' || !isEndpointFault(result) || earlier < forgivenFaults) return result;
  return { ...result, counts: true, trace: { ...result.trace, end: 'refused', fault: null } };
}

/** Returns how many faults of an endpoint count, of so many. */
export const countCountedFaults = (faults: number): number => Math.max(0, faults - forgivenFaults);
