import { isPublicAddress } from '#adapters/network/address-guard.ts';
import type { ApiEnv } from './context.ts';

type Vars = Pick<ApiEnv['Variables'], 'services' | 'admission' | 'caller'>;

/** Returns a warning for each host that would get more requests of a run than are left today without a proof. */
export async function listUnprovenHostWarnings(
  { services, admission, caller }: Vars,
  expected: ReadonlyMap<string, number>,
): Promise<string[]> {
  if (services.settings.REQUESTS_PER_DAY_PER_UNPROVEN_HOST === 0) return [];
  const hosts = [...expected].filter(([host]) => isPublicAddress(new URL(`https://${host}/`)));
  const warnings = await Promise.all(
    hosts.map(async ([host, requests]) => {
      admission.addToRequestCount();
      const { limit, unprovenToday, proof } = await services.object('host', host).describe(host, caller.workspace);
      if (proof !== null || limit === null || requests <= limit - unprovenToday) return [];
      return [
        `${host} is expected to get about ${Math.ceil(requests)} requests, and gets ${limit} a day until it is proven to be yours (${unprovenToday} today): beyond these attempts break and are not evaluated; prove it first (sextant servers prove)`,
      ];
    }),
  );
  return warnings.flat();
}
