import type { Context } from 'hono';
import { sha256Hex } from '#core/values/canonical.ts';
import type { ApiEnv } from './context.ts';
import { ifNoneMatchHasEtag } from './etag.ts';

/** A document whose text never changes while the process lives. */
interface FixedDocument {
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: () => string | Promise<string>;
}

/** Serves a fixed document: it is rendered with the first request, and a client that has it gets 304. */
export function makeFixedDocumentHandler({ contentType, headers = {}, text }: FixedDocument) {
  // Caches the value and not its promise, because a promise belongs to the request that made it.
  let made: { readonly body: string; readonly etag: string } | null = null;
  return async (c: Context<ApiEnv>): Promise<Response> => {
    if (made === null) {
      const body = await text();
      made = { body, etag: `"${(await sha256Hex(body)).slice(0, 32)}"` };
    }
    const { body, etag } = made;
    const sent = { ...headers, 'content-type': contentType, 'cache-control': 'public, max-age=300', etag };
    return ifNoneMatchHasEtag(c.req.header('if-none-match') ?? '', etag)
      ? c.body(null, 304, sent)
      : c.body(body, 200, sent);
  };
}
