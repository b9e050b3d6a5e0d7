import type { SchemaHint } from '#core/exploration/hint/schema-hint.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { hintLevels, noHint, type HintLevel } from '#core/exploration/hint/hint-levels.ts';
import type { Transition } from '#core/traces/transitions.ts';

/** What exploration knows of a tool without its schemas. */
export type ExploredTool = Pick<Tool, 'name' | 'server' | 'domain'>;

/** A catalog's tools by place: the number of a tool is its place in the catalog, and stands for it in counters. */
export interface CatalogIndex {
  readonly tools: readonly ExploredTool[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Servers with their tools, both in the catalog's order. */
  readonly servers: readonly { readonly name: string; readonly tools: readonly string[] }[];
  /** How well a tool's outputs seem to fit another's inputs, by their numbers. */
  readonly hintLevel: HintLevel;
}

/**
 * Indexes a catalog. Of tools with one name the first counts: a catalog has none. The hint takes places in `tools`, which
 * are the numbers then; without one, all pairs of tools look alike.
 */
export const indexCatalog = (tools: readonly ExploredTool[], hint: SchemaHint = noHint): CatalogIndex => {
  const kept: ExploredTool[] = [];
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
    hintLevel: hintLevels(hint, kept.length),
  };
};

/** A transition's number in a catalog; undefined where the catalog does not have one of its tools. */
export const transitionNumber = (catalog: CatalogIndex, [from, to]: Transition): number | undefined => {
  const source = catalog.numbers.get(from);
  const target = catalog.numbers.get(to);
  return source === undefined || target === undefined ? undefined : source * catalog.tools.length + target;
};

/** The two tools behind a transition's number. */
export const toolsOfTransition = (
  catalog: CatalogIndex,
  number: number,
): readonly [from: ExploredTool, to: ExploredTool] | undefined => {
  const from = catalog.tools[Math.floor(number / catalog.tools.length)];
  const to = catalog.tools[number % catalog.tools.length];
  return from && to ? [from, to] : undefined;
};

/** Transitions by their numbers, in the order given; those of tools that the catalog does not have are left out. */
export const transitionsOf = (catalog: CatalogIndex, numbers: readonly number[]): Transition[] =>
  numbers.flatMap((number): Transition[] => {
    const pair = toolsOfTransition(catalog, number);
    return pair ? [[pair[0].name, pair[1].name]] : [];
  });
