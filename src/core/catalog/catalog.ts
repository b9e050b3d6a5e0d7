import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import type { Tool } from './tool.ts';

/** An immutable snapshot of the tools of several servers. */
export interface Catalog {
  /** `cat_` and 32 hex digits of the SHA-256 of the canonical content. */
  readonly id: string;
  /** Sorted by name. */
  readonly tools: readonly Tool[];
}

/** What a catalog may hold. It travels between objects in one call, which carries 32 MiB; one server may have 2,000 tools and 4 MiB. */
export const catalogLimits = { tools: 10_000, bytes: 16 * 1024 * 1024 } as const;

/** What a tool adds to the id of its catalog. */
export interface CatalogPart {
  readonly name: string;
  readonly text: string;
}

export const makeCatalogPart = (tool: Tool): CatalogPart => ({ name: tool.name, text: canonicalJson(tool) });

const compareNames = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

/** Returns the id of the catalog of all these tools, in whatever order. */
export async function computeCatalogId(parts: readonly CatalogPart[]): Promise<string> {
  const sorted = parts.toSorted(compareNames);
  return `cat_${(await sha256Hex(sorted.map(({ text }) => text).join('\n'))).slice(0, 32)}`;
}

/**
 * Freezes tools into a catalog. The id depends only on the tools, not on their order, on addresses or on time: the same
 * tools give the same id, and one changed description gives another.
 */
export const makeCatalog = async (tools: readonly Tool[]): Promise<Catalog> => ({
  id: await computeCatalogId(tools.map(makeCatalogPart)),
  tools: tools.toSorted(compareNames),
});
