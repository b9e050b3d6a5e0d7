import type { InfrastructureFault } from './faults.ts';

const longestReason = 300;

/** Returns the fault of a stage that failed repeatedly for a reason of ours. Its unit or case is set aside. */
export const makeInternalFault = (stage: string, reason: string): InfrastructureFault => ({
  where: 'service',
  name: stage,
  code: 'internal',
  detail: reason.slice(0, longestReason),
});
