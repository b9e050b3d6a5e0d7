import { createMiddleware } from 'hono/factory';
import { makeHostLedgerWithFreshStubs } from '#adapters/network/fresh-hosts.ts';
import { makeUnprovenRequestCounterOrNull } from '#adapters/network/unproven-requests.ts';
import type { ApiEnv } from '../context.ts';

/** Has the requests of an endpoint to servers counted, where their hosts are not proven, and gives back what it did not use. */
export const countServerRequests = createMiddleware<ApiEnv>(async (c, next) => {
  const { services, caller, admission } = c.var;
  const hosts = makeHostLedgerWithFreshStubs({ getByName: (host) => services.object('host', host) }, admission);
  const unproven = makeUnprovenRequestCounterOrNull(services.settings, hosts, caller.workspace);
  c.set('admit', unproven === null ? undefined : (url) => unproven.admit(url));
  try {
    await next();
  } finally {
    await unproven?.giveBackRest();
  }
});
