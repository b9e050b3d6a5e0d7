import { z } from 'zod';

/**
 * The functional classes of tools, for function agreement (FA), with their definitions. Two tools of one class do the
 * same kind of thing; tools of `other` have nothing in common. New ones go to the end, before `other`.
 */
export const categoryDefinitions = {
  read: 'returns a thing that the call names, or that there is one of: a file, a record, a page, a guide',
  list: 'lists what there is, of a kind or in a place',
  search: 'finds what matches a query or criteria',
  status: 'returns the present state of a system, a session or a clock',
  create: 'makes a new thing that stays',
  update: 'changes a thing that exists: edits, writes, moves, renames, marks, merges, adds to it',
  delete: 'removes a thing, or all things of a kind',
  convert: 'gives the same content in another form: encodes, decodes, formats, parses, translates, compresses',
  compute: 'derives a value or a finding from its input: calculates, counts, measures, hashes, analyses',
  check: 'says whether something is valid, equal or different: validates, tests, compares',
  chart: 'draws: a chart, a diagram, a picture, a screenshot',
  generate: 'makes new content that it returns and does not keep: text, random values, suggestions, plans',
  send: 'passes something on to somebody or somewhere else: sends, posts, pushes, publishes',
  execute: 'runs code, a command, a process or a job',
  control: 'operates an interface, a device or the session itself: clicks, opens, connects, selects, switches',
  reason: "keeps or structures the caller's own thinking",
  other: 'none of these',
} as const satisfies Readonly<Record<string, string>>;

export type ToolCategory = keyof typeof categoryDefinitions;

const isCategory = (name: string): name is ToolCategory => name in categoryDefinitions;

/** All categories, in the order of their definitions. */
export const toolCategories: readonly ToolCategory[] = Object.keys(categoryDefinitions).filter(isCategory);

export const toolCategory = z.enum(toolCategories);

/** Who gave a tool its category: the owner of the server, a model, or rules on its name and description. */
export const categorySource = z.enum(['owner', 'model', 'rules']);
export type CategorySource = z.infer<typeof categorySource>;

/** How many tools have each category; those without tools are left out. Catalogs of earlier releases may have others. */
export const categoryCounts = z.record(z.string(), z.int());
export type CategoryCounts = Readonly<z.infer<typeof categoryCounts>>;

/** Counts tools by category, in the order of the definitions; unknown ones follow. */
export const countToolsByCategory = (tools: Iterable<{ readonly category: string }>): CategoryCounts => {
  const counts = new Map<string, number>();
  for (const { category } of tools) counts.set(category, (counts.get(category) ?? 0) + 1);
  const known = toolCategories.filter((name) => counts.has(name));
  const unknown = [...counts.keys()].filter((name) => !isCategory(name)).toSorted();
  return Object.fromEntries([...known, ...unknown].map((name) => [name, counts.get(name) ?? 0]));
};
