import type { Admission } from '#adapters/network/admission.ts';
import type { HostLedger } from '#core/catalog/hosts/ledger.ts';
import { makeRetryingObjectCaller } from '../caller.ts';

/** Returns what is known of a host. */
export interface Hosts {
  getByName(host: string): HostLedger;
}

/** Returns how an instance calls hosts. A call that arrives twice takes twice, which spares the host. */
export function makeHostCaller(hosts: Hosts, admission: Admission): HostLedger {
  const call = (host: string) => makeRetryingObjectCaller(() => hosts.getByName(host), admission);
  return {
    takeRequests: (host, workspace, wanted) => call(host)((each) => each.takeRequests(host, workspace, wanted)),
    giveBack: (host, day, requests) => call(host)((each) => each.giveBack(host, day, requests)),
  };
}
