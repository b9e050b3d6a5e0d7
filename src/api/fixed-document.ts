import type { Context } from 'hono';
import { sha256Hex } from '#core/canonical.ts';
import type { ApiEnv } from './context.ts';
import { holds } from './etag.ts';

/** A document whose text stays the same as long as the process lives. */
interface FixedDocument {
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: () => string | Promise<string>;
}

/** Serves a fixed document: it is made with the first request, and a client that holds it gets 304. */
export function fixedDocument({ contentType, headers = {}, text }: FixedDocument) {
  // The value and not its promise: a promise belongs to the request that made it.
  let made: { readonly body: string; readonly etag: string } | null = null;
  return async (c: Context<ApiEnv>): Promise<Response> => {
    if (made === null) {
      const body = await text();
      made = { body, etag: `"${(await sha256Hex(body)).slice(0, 32)}"` };
    }
    const { body, etag } = made;
    const sent = { ...headers, 'content-type': contentType, 'cache-control': 'public, max-age=300', etag };
    return holds(c.req.header('if-none-match') ?? '', etag) ? c.body(null, 304, sent) : c.body(body, 200, sent);
  };
}
