import { isPublicAddress } from '#adapters/network/address-guard.ts';
import type { ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { attack } from '#core/benchmarks/protocols/attack.ts';
import { hostOf } from '#core/catalog/hosts/proof.ts';
import type { ServerConnection } from '#core/catalog/server.ts';
import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';
import { refusal } from './problem.ts';

/**
 * Refuses attacks in which servers are called that are not the caller's. A server is, if it runs on a machine or network of the deployment's own, or if
 * the workspace has proven its host. A replay calls no server, and passes none here.
 */
export async function throwIfAttackOnForeignServers(
  { var: { services, admission, caller } }: Context<ApiEnv>,
  protocol: ProtocolKey,
  servers: readonly Pick<ServerConnection, 'name' | 'url'>[],
): Promise<void> {
  if (protocol !== attack.key) return;
  const foreign = await Promise.all(
    servers.map(async ({ name, url }) => {
      if (url === null || !isPublicAddress(new URL(url))) return [];
      admission.addToRequestCount();
      const host = hostOf(new URL(url));
      const { proof } = await services.object('host', host).describe(host, caller.workspace);
      return proof === null ? [`${name} (${host})`] : [];
    }),
  );
  const names = foreign.flat();
  if (names.length > 0)
    throw refusal(
      'attack-on-foreign-server',
      `nobody has proven that these are yours: ${names.join(', ')}; prove their hosts (sextant servers prove), or attack from a recording (--replay)`,
    );
}
