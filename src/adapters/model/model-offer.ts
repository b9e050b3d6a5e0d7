import { z } from 'zod';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';

const listing = z.object({ data: z.array(z.object({ id: z.string() })) });

/** `unknown`: the endpoint keeps no list, so its models are unknown before they are used. */
export type Offer =
  | { readonly kind: 'offered' | 'unknown' }
  | { readonly kind: 'missing'; readonly offered: readonly string[] }
  | { readonly kind: 'unauthorized'; readonly status: number }
  | { readonly kind: 'unreachable' };

/** Looks up whether an endpoint's list of models includes this one. `fetch` bounds the answer in time and bytes. */
export async function lookUpListedModel(
  { baseUrl, apiKey, model }: { readonly baseUrl: string; readonly apiKey: string; readonly model: string },
  fetch: FetchLike,
): Promise<Offer> {
  const url = `${baseUrl.replace(/\/+$/, '')}/models`;
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey || 'none'}` } });
    const { status } = response;
    if (status === 401 || status === 403) return { kind: 'unauthorized', status };
    const listed = response.ok ? listing.safeParse(await response.json().catch(() => null)) : undefined;
    if (listed?.success !== true) return { kind: 'unknown' };
    const offered = listed.data.data.map(({ id }) => id);
    return offered.includes(model) ? { kind: 'offered' } : { kind: 'missing', offered };
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    const code = findGuardError(error)?.code;
    if (code === 'unreachable' || code === 'connection-lost' || code === 'timeout') return { kind: 'unreachable' };
    return { kind: 'unknown' };
  }
}
