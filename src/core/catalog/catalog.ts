import { canonicalJson, sha256Hex } from '#core/values/canonical.ts';
import type { Tool } from './tool.ts';

/** An immutable snapshot of the tools of several servers. */
export interface Catalog {
  /** `cat_` and 32 hex digits of the SHA-256 of the canonical content. */
  readonly id: string;
  /** Sorted by name. */
  readonly tools: readonly Tool[];
}

/**
 * Freezes tools into a catalog. The id depends only on the tools, not on their order, on addresses or on time: the same
 * tools give the same id, and one changed description gives another.
 */
export async function makeCatalog(tools: readonly Tool[]): Promise<Catalog> {
  const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const hash = await sha256Hex(sorted.map((tool) => canonicalJson(tool)).join('\n'));
  return { id: `cat_${hash.slice(0, 32)}`, tools: sorted };
}
