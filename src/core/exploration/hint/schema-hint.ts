import { weighResultTerms, weighArgumentTerms, type Terms } from './tool-terms.ts';
import type { Tool } from '#core/catalog/tool.ts';

/**
 * Returns how likely an output of tool `from` can feed an input of tool `to`: 0..1, by index in the list that the hint
 * was built from. 0 for a tool and itself, for a tool without inputs, and for unknown indexes.
 */
export type SchemaHint = (from: number, to: number) => number;

/** How fast shared terms add up to certainty. */
const steepness = 0.25;

/** Factor for all shared terms but the heaviest: long schemas and descriptions share some by chance. */
const further = 0.4;

/** Minimum weight of a term: even one that all tools share, such as text, shows which tools take it. */
const leastRarity = 1.5;

/**
 * Reads once what each tool provides and takes. A pair's score sums over its shared terms the weights that both give to
 * a term, times the rarity of the term in the catalog. Memory is linear in the tools, and their order does not matter.
 */
export const makeSchemaHint = (tools: readonly Tool[]): SchemaHint => {
  const brought = tools.map(weighResultTerms);
  const taken = tools.map(weighArgumentTerms);
  const rarity = numberAndRateSharedTerms(brought, taken);
  const gives = packTerms(brought, rarity);
  const wants = packTerms(taken, rarity);
  return (from, to) => {
    if (from === to) return 0;
    let a = gives.starts[from] ?? 0;
    let b = wants.starts[to] ?? 0;
    const endA = gives.starts[from + 1] ?? 0;
    const endB = wants.starts[to + 1] ?? 0;
    let sum = 0;
    let most = 0;
    while (a < endA && b < endB) {
      const left = gives.terms[a] ?? 0;
      const right = wants.terms[b] ?? 0;
      if (left === right) {
        const met = (gives.weights[a] ?? 0) * (wants.weights[b] ?? 0);
        sum += met;
        if (met > most) most = met;
      }
      if (left <= right) a += 1;
      if (right <= left) b += 1;
    }
    return 1 - Math.exp(-steepness * (most + further * (sum - most)));
  };
};

/** A term's number in alphabetical order, and its rarity, above 0. */
interface Rarity {
  readonly number: number;
  readonly rarity: number;
}

/** The terms that some tool provides and some tool takes; others can never match. */
const numberAndRateSharedTerms = (brought: readonly Terms[], taken: readonly Terms[]): ReadonlyMap<string, Rarity> => {
  const givers = countToolsByTerm(brought);
  const takers = countToolsByTerm(taken);
  const shared = [...givers.keys()].filter((term) => takers.has(term)).toSorted();
  return new Map(
    shared.map((term, number) => {
      const used = Math.max(givers.get(term) ?? 0, takers.get(term) ?? 0);
      return [term, { number, rarity: Math.max(leastRarity, Math.log(1 + brought.length / used)) }];
    }),
  );
};

const countToolsByTerm = (all: readonly Terms[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const terms of all) for (const term of terms.keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** The terms of all tools, concatenated, each tool's in numeric order. */
interface Packed {
  /** The start of each tool's terms, followed by the end of all. */
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

const packTerms = (all: readonly Terms[], rarity: ReadonlyMap<string, Rarity>): Packed => {
  const rows = all.map((terms) =>
    [...terms]
      .flatMap(([term, weight]) => {
        const known = rarity.get(term);
        return known === undefined ? [] : [{ number: known.number, weight: weight * Math.sqrt(known.rarity) }];
      })
      .toSorted((one, other) => one.number - other.number),
  );
  const starts = new Uint32Array(all.length + 1);
  rows.forEach((row, index) => {
    starts[index + 1] = (starts[index] ?? 0) + row.length;
  });
  const flat = rows.flat();
  return {
    starts,
    terms: Uint32Array.from(flat, ({ number }) => number),
    weights: Float32Array.from(flat, ({ weight }) => weight),
  };
};
