import type { Governor } from '#core/models/governor/port.ts';
import type { Admission } from './admission.ts';

/** Returns how governors are called by their names: each call has a stub of its own, because one that threw may stay broken, and is counted. */
export const makeLookupOfGovernorsWithFreshStubs =
  (governors: { getByName(name: string): Governor }, admission: Pick<Admission, 'addToRequestCount'>) =>
  (name: string): Governor => {
    const fresh = (): Governor => {
      admission.addToRequestCount();
      return governors.getByName(name);
    };
    return {
      askForLeave: (request) => fresh().askForLeave(request),
      extendLease: (lease) => fresh().extendLease(lease),
      reportRequestEnd: (request) => fresh().reportRequestEnd(request),
    };
  };
