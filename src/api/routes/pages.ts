import { linkCardTags, usualDescription } from '#core/leaderboards/link-card.ts';
import type { Endpoint } from '../context.ts';
import { getPublicOrigin } from '../own-client.ts';

/** The addresses of the pages that `web/` draws: all get the same document, whose script draws what the address says. */
const addresses = ['/', '/explorations/*', '/evaluations/*', '/servers/*'] as const;

const addDashboardPages: Endpoint = (api) => {
  for (const address of addresses)
    api.get(address, async (c) => {
      const page = await c.var.services.readPage();
      // The key to what is here never reaches the server: it is in the fragment of a shared link, or stored. So the card is the same for all.
      const card = linkCardTags({ origin: getPublicOrigin(c), title: 'Sextant', description: usualDescription });
      const text = (await page.text()).replace('</head>', () => `${card}\n  </head>`);
      const headers = new Headers(page.headers);
      // They are those of the document without the card.
      for (const name of ['content-length', 'etag']) headers.delete(name);
      return new Response(text, { status: page.status, headers });
    });
};

export const pageEndpoints: readonly Endpoint[] = [addDashboardPages];
