import type { Context } from 'hono';
import type { WatchRecord } from '#core/reports/watch/record.ts';
import { watchBadgeSvg, watchFeed, watchVerdict } from '#core/reports/watch/show-watch.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { respondWithPage } from '../html/page-frame.ts';
import { respondOrShowRefusalAsPage } from '../html/refusal-page.ts';
import { watchPageHtml } from '../html/watch-page.ts';
import { isWatchId } from '../ids.ts';
import { getPublicOrigin } from '../own-client.ts';
import { refusal } from '../problem.ts';
import type { WatchService } from '../services.ts';

const shownIncidents = 50;
const shownVisits = 120;
/** A badge is asked for by every reader of a page that shows it. */
const cacheControl = 'public, max-age=300';

/** Returns a watch that its owner shows to everybody; others look as if they did not exist. */
async function requirePublicWatch(c: Context<ApiEnv>): Promise<{ watch: WatchRecord; object: WatchService }> {
  const id = c.req.param('id') ?? '';
  // Asking an object makes it, so only ids that can be ours are asked for.
  const object = isWatchId(id) ? c.var.services.object('watch', id) : null;
  const [read, owner] = await Promise.all([object?.get(id), object?.ownership()]);
  const isShown = read?.ok === true && read.value.public && owner != null && !(await isPrivate(c, owner));
  if (object === null || !isShown) throw refusal('not-found', `there is no watch ${id} that is shown without a key`);
  return { watch: read.value, object };
}

/** A server that its owner has made private since is not shown either. */
const isPrivate = (
  c: Context<ApiEnv>,
  { workspace, server }: { readonly workspace: string; readonly server: string },
): Promise<boolean> => c.var.services.object('workspace', workspace).isAnyServerPrivate([server]);

const addressOf = (c: Context<ApiEnv>, { id }: WatchRecord): string => `${getPublicOrigin(c)}/watches/${id}`;

/** The page of a watch. */
const addWatchPage: Endpoint = (api) =>
  void api.get('/watches/:id', (c) =>
    respondOrShowRefusalAsPage(c, async () => {
      const { watch, object } = await requirePublicWatch(c);
      const [incidents, visits] = await Promise.all([
        object.listIncidents(Number.MAX_SAFE_INTEGER, shownIncidents),
        object.listVisits(shownVisits),
      ]);
      c.header('cache-control', cacheControl);
      const body = watchPageHtml({ watch, incidents, visits, address: addressOf(c, watch) });
      return respondWithPage(c, { title: `${watch.server.name}: ${watchVerdict(watch)}`, body });
    }),
  );

const addWatchBadge: Endpoint = (api) =>
  void api.get('/watches/:id/badge.svg', async (c) => {
    const { watch } = await requirePublicWatch(c);
    return c.body(watchBadgeSvg(watch), 200, {
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': cacheControl,
    });
  });

const addWatchFeed: Endpoint = (api) =>
  void api.get('/watches/:id/feed.atom', async (c) => {
    const { watch, object } = await requirePublicWatch(c);
    const incidents = await object.listIncidents(Number.MAX_SAFE_INTEGER, shownIncidents);
    return c.body(watchFeed(watch, incidents, addressOf(c, watch)), 200, {
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': cacheControl,
    });
  });

export const watchPageEndpoints: readonly Endpoint[] = [addWatchPage, addWatchBadge, addWatchFeed];
