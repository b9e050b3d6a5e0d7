import { z } from 'zod';
import type { ToolSelection } from '#core/catalog/selection.ts';
import { catalogRecord, type CatalogRecord } from '#core/catalog/server.ts';
import { tool, type Tool } from '#core/catalog/tool.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

const catalogWithTools = z.object({ catalog: catalogRecord, tools: z.array(tool) });

/** Frozen sets of tools. */
export const makeCatalogsClient = (transport: Transport) => ({
  /**
   * Freezes the tools of servers, given by their ids, as far as they are selected and allowed. The same tools give the same catalog, so the call can be
   * repeated.
   */
  create: (servers: readonly string[], selection: Partial<ToolSelection> = {}): Promise<CatalogRecord> =>
    transport.requestJson(catalogRecord, {
      method: 'POST',
      path: '/v1/catalogs',
      json: { servers, ...selection },
      repeatable: true,
    }),

  list: (options?: ListOptions): AsyncGenerator<CatalogRecord, void, undefined> =>
    yieldItemsOfAllPages(transport, catalogRecord, '/v1/catalogs', {}, options),

  get: (id: string): Promise<{ catalog: CatalogRecord; tools: Tool[] }> =>
    transport.requestJson(catalogWithTools, { method: 'GET', path: escapedPath`/v1/catalogs/${id}`, repeatable: true }),
});
