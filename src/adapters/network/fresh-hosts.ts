import type { HostLedger } from '#core/catalog/hosts/ledger.ts';
import type { Admission } from './admission.ts';

/** Returns the ledger of all hosts: each call has a stub of its own, because one that threw may stay broken, and is counted. */
export function makeHostLedgerWithFreshStubs(
  hosts: { getByName(host: string): HostLedger },
  admission: Pick<Admission, 'addToRequestCount'>,
): HostLedger {
  const fresh = (host: string): HostLedger => {
    admission.addToRequestCount();
    return hosts.getByName(host);
  };
  return {
    takeRequests: (host, workspace, wanted) => fresh(host).takeRequests(host, workspace, wanted),
    giveBack: (host, day, requests) => fresh(host).giveBack(host, day, requests),
  };
}
