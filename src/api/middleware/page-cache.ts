import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../context.ts';
import { ifNoneMatchHasEtag, isCacheableForAll } from '../etag.ts';

/** Answers with a cached public page, and caches those that are rendered. */
export const answerFromPageCache = createMiddleware<ApiEnv>(async (c, next) => {
  const { pageCache } = c.var.services;
  if (pageCache === null || c.req.method !== 'GET') return next();
  const kept = await pageCache.match(c.req.url);
  if (kept !== undefined) {
    const etag = kept.headers.get('etag') ?? '';
    const isHeld = ifNoneMatchHasEtag(c.req.header('if-none-match') ?? '', etag);
    // The headers of a cached response are immutable.
    c.res = new Response(isHeld ? null : kept.body, { status: isHeld ? 304 : kept.status, headers: kept.headers });
    return;
  }
  await next();
  if (c.res.status !== 200 || !isCacheableForAll(c.res)) return;
  c.executionCtx.waitUntil(pageCache.put(c.req.url, c.res.clone()));
});
