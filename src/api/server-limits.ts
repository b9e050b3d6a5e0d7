import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { makeServerGate, type ServerGate } from '#adapters/mcp/server-gate.ts';
import { makeLookupOfGovernorsWithFreshStubs } from '#adapters/network/fresh-governors.ts';
import { makeServerLimitsForRunsOrNull, type ServerRecord } from '#core/catalog/server.ts';
import { statedLimits } from '#core/catalog/stated-limits.ts';
import type { ApiEnv } from './context.ts';

/** How many requests a server takes, from all of a workspace. */
export const ownersLimits = documented(statedLimits, 'ServerLimits', {
  description:
    'How many requests the server takes from this workspace: `concurrency` at once, `perMinute` within any 60 seconds. Attempts, gateways and surveys share them; a call that has to wait does so at no cost to the attempt. Replaces the limits before; `{}` lifts them.',
});

/** What is counted of a server with limits now. */
export const serverStanding = documented(
  z.object({
    underWay: z.int(),
    startedInLastMinute: z.int(),
    circuit: documented(z.enum(['closed', 'open', 'half-open']), {
      description:
        '`open`: the server answered nothing several times in a row and is left alone. `half-open`: one request may try it.',
    }),
    restsUntil: documented(z.string().nullable(), { description: 'Nothing is sent before; null if it does not rest.' }),
  }),
  'ServerStanding',
);

type Vars = ApiEnv['Variables'];

/** Returns what lets the requests of the API itself to a server start. */
export function makeServerGateIfLimited(
  { services, admission }: Pick<Vars, 'services' | 'admission'>,
  id: string,
  limits: ServerRecord['limits'],
): ServerGate | undefined {
  const kept = makeServerLimitsForRunsOrNull(id, limits);
  if (kept === null) return undefined;
  return makeServerGate(
    makeLookupOfGovernorsWithFreshStubs({ getByName: (name) => services.governor(name) }, admission),
    kept,
  );
}

/** Reads what is counted of a server; null if it has no limits. */
export async function readServerStandingIfLimited(
  { services, admission }: Pick<Vars, 'services' | 'admission'>,
  { id, limits }: Pick<ServerRecord, 'id' | 'limits'>,
): Promise<z.infer<typeof serverStanding> | null> {
  const kept = makeServerLimitsForRunsOrNull(id, limits);
  if (kept === null) return null;
  admission.addToRequestCount();
  const { restsUntilMs, ...counted } = await services.governor(kept.governor).describe();
  return { ...counted, restsUntil: restsUntilMs > Date.now() ? new Date(restsUntilMs).toISOString() : null };
}
