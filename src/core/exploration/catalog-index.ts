import type { SchemaHint } from './hint/schema-hint.ts';
import type { NearSiblings } from './near-siblings.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { makeHintLevelFunction, constantZeroHint, type HintLevel } from './hint/hint-levels.ts';
import type { Transition } from '#core/traces/transitions.ts';

/** What exploration knows about a tool without its schemas. */
export type CatalogToolKey = Pick<Tool, 'name' | 'server' | 'domain'>;

/** A catalog's tools by index: a tool's number is its index in the catalog and identifies it in counters. */
export interface CatalogIndex {
  readonly tools: readonly CatalogToolKey[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Servers with their tools, both in the catalog's order. */
  readonly servers: readonly { readonly name: string; readonly tools: readonly string[] }[];
  /** How well a tool's outputs seem to fit another's inputs, by their numbers. */
  readonly hintLevel: HintLevel;
  /** Which tools are easily taken for each other; empty where nobody asks. */
  readonly nearSiblings: NearSiblings;
}

/**
 * Indexes a catalog. If a name occurs twice, the first tool counts, but a catalog has no such names. The hint uses
 * indexes of `tools`, which are the numbers; without a hint, all pairs look alike.
 */
export const makeCatalogIndex = (
  tools: readonly CatalogToolKey[],
  hint: SchemaHint = constantZeroHint,
  nearSiblings: NearSiblings = new Map(),
): CatalogIndex => {
  const kept: CatalogToolKey[] = [];
  const numbers = new Map<string, number>();
  const servers = new Map<string, string[]>();
  for (const { name, server, domain } of tools) {
    if (numbers.has(name)) continue;
    numbers.set(name, kept.length);
    kept.push({ name, server, domain });
    const siblings = servers.get(server);
    if (siblings) siblings.push(name);
    else servers.set(server, [name]);
  }
  return {
    tools: kept,
    numbers,
    servers: Array.from(servers, ([name, names]) => ({ name, tools: names })),
    hintLevel: makeHintLevelFunction(hint, kept.length),
    nearSiblings,
  };
};

/** Returns a transition's number in a catalog; undefined if the catalog lacks one of its tools. */
export const transitionNumber = (catalog: CatalogIndex, [from, to]: Transition): number | undefined => {
  const source = catalog.numbers.get(from);
  const target = catalog.numbers.get(to);
  return source === undefined || target === undefined ? undefined : source * catalog.tools.length + target;
};

/** Returns the two tools of a transition's number. */
export const toolsOfTransitionNumber = (
  catalog: CatalogIndex,
  number: number,
): readonly [from: CatalogToolKey, to: CatalogToolKey] | undefined => {
  const from = catalog.tools[Math.floor(number / catalog.tools.length)];
  const to = catalog.tools[number % catalog.tools.length];
  return from && to ? [from, to] : undefined;
};

/** Returns the transitions with these numbers, in the given order, without those whose tools the catalog lacks. */
export const transitionsByNumbers = (catalog: CatalogIndex, numbers: readonly number[]): Transition[] =>
  numbers.flatMap((number): Transition[] => {
    const pair = toolsOfTransitionNumber(catalog, number);
    return pair ? [[pair[0].name, pair[1].name]] : [];
  });
