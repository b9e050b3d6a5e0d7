import { z } from 'zod';
import { dialectOfModel, type Dialect, type DialectSetting } from '#core/models/dialect.ts';
import { findPlatformError } from '#adapters/network/platform-errors.ts';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';

const listing = z.object({ data: z.array(z.object({ id: z.string() })) });

/** `unknown`: the endpoint keeps no list that can be read, or none that names all of its models. */
export type Offer =
  | { readonly kind: 'offered' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'missing'; readonly offered: readonly string[] };

/** A model whose endpoint is asked for its list. */
export interface LookedUp {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly dialect?: DialectSetting | undefined;
}

/**
 * Looks up whether an endpoint's list of models includes this one, as advice: endpoints take models that they do not list.
 * A list that its dialect does not trust is not read. `fetch` bounds the answer in time and bytes.
 */
export async function fetchWhetherModelIsListed(asked: LookedUp, fetch: FetchLike): Promise<Offer> {
  const { authentication, modelListTrusted } = dialectOfModel(asked, asked.dialect);
  if (!modelListTrusted) return { kind: 'unknown' };
  try {
    const response = await fetch(modelListAddress(asked.baseUrl), {
      headers: makeApiKeyHeader(authentication, asked.apiKey),
    });
    const listed = response.ok ? listing.safeParse(await response.json().catch(() => null)) : undefined;
    if (listed?.success !== true) return { kind: 'unknown' };
    const offered = listed.data.data.map(({ id }) => id);
    const isOffered = offered.some((id) => bareModelId(id) === bareModelId(asked.model));
    return isOffered ? { kind: 'offered' } : { kind: 'missing', offered };
  } catch (error) {
    const stopped = findPlatformError(error);
    if (stopped !== undefined) throw stopped;
    return { kind: 'unknown' };
  }
}

/** A query, such as Azure's version, belongs to every address of the endpoint. */
function modelListAddress(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/models`;
  return url.href;
}

const makeApiKeyHeader = (authentication: Dialect['authentication'], apiKey: string): Record<string, string> =>
  authentication === 'bearer' ? { authorization: `Bearer ${apiKey || 'none'}` } : { [authentication]: apiKey };

/** Gemini lists `models/x`, and Ollama `x:latest`, of what requests call `x`. */
const bareModelId = (id: string): string => id.replace(/^models\//, '').replace(/:latest$/, '');
