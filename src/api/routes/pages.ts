import type { Context } from 'hono';
import { linkCardTags, usualDescription } from '#core/pictures/link-card.ts';
import { sayPicture } from '#core/pictures/link-picture.ts';
import type { ApiEnv, Endpoint } from '../context.ts';
import { readCardOfRunOrNull } from '../link-pictures.ts';
import { getPublicOrigin } from '../own-client.ts';

/** The addresses of the pages that `web/` draws: all get the same document, whose script draws what the address says. */
const addresses = ['/', '/explorations/*', '/evaluations/*', '/servers/*'] as const;

const addDashboardPages: Endpoint = (api) => {
  for (const address of addresses)
    api.get(address, async (c) => {
      const [page, card] = await Promise.all([c.var.services.readPage(), writeCardTags(c)]);
      const text = (await page.text()).replace('</head>', () => `${card}\n  </head>`);
      const headers = new Headers(page.headers);
      // They are those of the document without the card.
      for (const name of ['content-length', 'etag']) headers.delete(name);
      return new Response(text, { status: page.status, headers });
    });
};

/**
 * The key to what is here never reaches the server: it is in the fragment of a shared link, or stored. So a page has the card of all pages,
 * unless the link has the token of the card of this run.
 */
async function writeCardTags(c: Context<ApiEnv>): Promise<string> {
  const origin = getPublicOrigin(c);
  const token = c.req.query('card');
  const card = token === undefined ? null : await readCardOfRunOrNull(c, token);
  if (token === undefined || card === null || c.req.path.split('/')[2] !== card.run)
    return linkCardTags({ origin, title: 'Sextant', description: usualDescription });
  const said = sayPicture(card.picture);
  const picture = { path: `/cards/${token}.png`, alt: said };
  return linkCardTags({ origin, title: card.picture.title, description: said, picture });
}

export const pageEndpoints: readonly Endpoint[] = [addDashboardPages];
