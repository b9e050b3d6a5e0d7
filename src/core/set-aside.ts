import type { InfrastructureFault } from '#core/faults.ts';

const longestReason = 300;

/** Returns the fault of a stage that failed for a reason of ours however often it was tried. Whatever it belongs to is set aside. */
export const internalFault = (stage: string, reason: string): InfrastructureFault => ({
  where: 'service',
  name: stage,
  code: 'internal',
  detail: reason.slice(0, longestReason),
});
