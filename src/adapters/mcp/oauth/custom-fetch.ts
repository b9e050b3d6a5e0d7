import type { CustomFetchOptions } from 'oauth4webapi';
import type { FetchLike } from '#adapters/network/guarded-fetch.ts';

/** Returns our fetch in the form that the OAuth library takes. It follows no redirects, as the RFCs demand for secrets. */
export const makeOAuthLibraryFetch =
  (fetch: FetchLike) =>
  (
    url: string,
    { body, signal, headers, method }: CustomFetchOptions<string, BodyInit | undefined>,
  ): Promise<Response> =>
    fetch(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
