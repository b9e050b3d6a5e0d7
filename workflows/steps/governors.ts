import type { Admission } from '#adapters/network/admission.ts';
import type { Governor } from '#core/models/governor/port.ts';
import { makeRetryingObjectCaller } from '../caller.ts';

/** Returns the governor with this name. */
export interface Governors {
  getByName(name: string): Governor;
}

/** Returns how an instance calls governors by their names. */
export const makeGovernorCaller =
  (governors: Governors, admission: Admission) =>
  (name: string): Governor => {
    const call = makeRetryingObjectCaller(() => governors.getByName(name), admission);
    return {
      askForLeave: (request) => call((governor) => governor.askForLeave(request)),
      extendLease: (lease) => call((governor) => governor.extendLease(lease)),
      reportRequestEnd: (request) => call((governor) => governor.reportRequestEnd(request)),
    };
  };
