import type { Catalog } from './catalog.ts';
import { countToolsByEffect } from './effect.ts';
import type { CatalogRecord, ServerRecord } from './server.ts';
import { countToolsByCategory } from './tool-categories.ts';

/** Returns the record of a catalog over servers, of which those without a tool in it are left out. */
export function makeCatalogRecord(
  { id, tools }: Catalog,
  servers: readonly Pick<ServerRecord, 'id' | 'name' | 'domain'>[],
  aboveLimit: number,
  createdAt: string,
): CatalogRecord {
  const byServer = Map.groupBy(tools, ({ server }) => server);
  return {
    id,
    servers: servers.flatMap((server) => {
      const taken = byServer.get(server.name)?.length;
      return taken === undefined ? [] : [{ id: server.id, name: server.name, domain: server.domain, tools: taken }];
    }),
    tools: tools.length,
    categories: countToolsByCategory(tools),
    effects: countToolsByEffect(tools),
    aboveLimit,
    createdAt,
  };
}
