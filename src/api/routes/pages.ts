import type { Endpoint } from '../context.ts';

/** The addresses of the pages that `web/` draws: all get the same document, whose script draws what the address says. */
const addresses = ['/', '/explorations/*', '/evaluations/*', '/servers/*'] as const;

const addDashboardPages: Endpoint = (api) => {
  for (const address of addresses)
    api.get(address, async (c) => {
      const page = await c.var.services.readPage();
      // The headers of a fetched response are immutable.
      return new Response(page.body, page);
    });
};

export const pageEndpoints: readonly Endpoint[] = [addDashboardPages];
