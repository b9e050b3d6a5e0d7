import { z } from 'zod';
import { dialectOf, type Dialect, type DialectSetting } from '#core/models/dialect.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import { findGuardError, type FetchLike } from '#adapters/network/guarded-fetch.ts';

const listing = z.object({ data: z.array(z.object({ id: z.string() })) });

/** `unknown`: the endpoint keeps no list, so its models are unknown before they are used. */
export type Offer =
  | { readonly kind: 'offered' | 'unknown' }
  | { readonly kind: 'missing'; readonly offered: readonly string[] }
  | { readonly kind: 'unauthorized'; readonly status: number }
  | { readonly kind: 'unreachable' };

/** A model whose endpoint is asked for its list. */
export interface LookedUp {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly dialect?: DialectSetting | undefined;
}

/**
 * Looks up whether an endpoint's list of models includes this one. Nothing follows from a list that its dialect does not trust,
 * unless the endpoint does not answer at all. `fetch` bounds the answer in time and bytes.
 */
export async function lookUpListedModel(asked: LookedUp, fetch: FetchLike): Promise<Offer> {
  const { authentication, modelListTrusted } = dialectOf(asked, asked.dialect);
  try {
    const response = await fetch(addressOfList(asked.baseUrl), {
      headers: makeKeyHeader(authentication, asked.apiKey),
    });
    const { status } = response;
    if (!modelListTrusted) return { kind: 'unknown' };
    if (status === 401 || status === 403) return { kind: 'unauthorized', status };
    const listed = response.ok ? listing.safeParse(await response.json().catch(() => null)) : undefined;
    if (listed?.success !== true) return { kind: 'unknown' };
    const offered = listed.data.data.map(({ id }) => id);
    const isOffered = offered.some((id) => baseNameOf(id) === baseNameOf(asked.model));
    return isOffered ? { kind: 'offered' } : { kind: 'missing', offered };
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    const code = findGuardError(error)?.code;
    if (code === 'unreachable' || code === 'connection-lost' || code === 'timeout') return { kind: 'unreachable' };
    return { kind: 'unknown' };
  }
}

/** A query, such as Azure's version, belongs to every address of the endpoint. */
function addressOfList(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/models`;
  return url.href;
}

const makeKeyHeader = (authentication: Dialect['authentication'], apiKey: string): Record<string, string> =>
  authentication === 'bearer' ? { authorization: `Bearer ${apiKey || 'none'}` } : { [authentication]: apiKey };

/** Gemini lists `models/x`, and Ollama `x:latest`, of what requests call `x`. */
const baseNameOf = (id: string): string => id.replace(/^models\//, '').replace(/:latest$/, '');
