import type { Lineage } from './unit.ts';

/** Returns why a chain does not follow from its seeds as its kind requires; null if it does. */
export function findLineageProblemOrNull({ kind, seeds }: Lineage, chain: readonly string[]): string | null {
  const [first, second] = seeds.map((seed) => seed.chain);
  if (first === undefined) return 'it has no seed';
  switch (kind) {
    case 'entities':
      return isSameChain(chain, first) ? null : 'the chain is not that of its seed';
    case 'extended':
      return chain.length > first.length && isSubsequence(first, chain) ? null : "the chain does not extend its seed's";
    case 'recombined': {
      const hasToolOf = (from: readonly string[] = []): boolean => chain.some((tool) => from.includes(tool));
      // A tool that both seeds have does not join them.
      const hasToolBeyond = (one: readonly string[] = []): boolean => chain.some((tool) => !one.includes(tool));
      const joins = [first, second].every((seed) => hasToolOf(seed) && hasToolBeyond(seed));
      return joins ? null : "the chain does not join steps of both seeds'";
    }
  }
}

const isSameChain = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((tool, index) => tool === other[index]);

/** Returns whether the tools of one chain occur in another in the same order. */
function isSubsequence(inner: readonly string[], outer: readonly string[]): boolean {
  let found = 0;
  for (const tool of outer) if (tool === inner[found]) found += 1;
  return found === inner.length;
}
