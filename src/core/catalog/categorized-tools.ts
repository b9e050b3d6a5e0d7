import type { Tool } from './tool.ts';
import type { CategorySource, ToolCategory } from './tool-categories.ts';

/** A tool's category, and who gave it; null for one of an earlier release. */
export interface KnownCategory {
  readonly category: string;
  readonly source: CategorySource | null;
}

/** By the tool's full name. */
export type KnownCategories = ReadonlyMap<string, KnownCategory>;

/** Tools with their categories, and who gave each, by the tool's full name. */
export interface CategorizedTools {
  readonly tools: readonly Tool[];
  readonly sources: Readonly<Record<string, CategorySource>>;
}

/** Returns tools with what is known of them, else a model's answers, else the categories that they have by rule. */
export const assignCategoriesAndSources = (
  listed: readonly Tool[],
  known: KnownCategories,
  answers: ReadonlyMap<string, ToolCategory>,
): CategorizedTools => {
  const sources: [string, CategorySource][] = [];
  const tools = listed.map((tool) => {
    const kept = known.get(tool.name);
    if (kept !== undefined) {
      if (kept.source !== null) sources.push([tool.name, kept.source]);
      return { ...tool, category: kept.category };
    }
    const answer = answers.get(tool.name);
    sources.push([tool.name, answer === undefined ? 'rules' : 'model']);
    return answer === undefined ? tool : { ...tool, category: answer };
  });
  return { tools, sources: Object.fromEntries(sources) };
};

/**
 * Returns what a new listing keeps: what the owner says now, then what the owner, a model or an earlier release said
 * before. Categories by rule are found again, because descriptions change and a model may answer now.
 */
export const mergeOwnerAndKeptCategories = (
  server: string,
  owned: Readonly<Record<string, ToolCategory>>,
  before: readonly Tool[],
  sources: Readonly<Record<string, CategorySource>>,
): KnownCategories => {
  const sourceOf = new Map(Object.entries(sources));
  const kept = new Map<string, KnownCategory>();
  for (const { name, category } of before) {
    const source = sourceOf.get(name) ?? null;
    if (source !== 'rules') kept.set(name, { category, source });
  }
  for (const [name, category] of Object.entries(owned)) kept.set(`${server}/${name}`, { category, source: 'owner' });
  return kept;
};

/** How many tools have their category from whom. */
export type SourceCounts = Readonly<Record<CategorySource, number>>;

export const countCategorySources = (sources: Readonly<Record<string, CategorySource>>): SourceCounts => {
  const counts = { owner: 0, model: 0, rules: 0 };
  for (const source of Object.values(sources)) counts[source] += 1;
  return counts;
};
