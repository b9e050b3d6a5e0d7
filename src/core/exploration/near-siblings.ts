import { listSchemaLeaves } from './hint/schema-leaves.ts';
import { listContentWordsOfText, normalizedWordsOfIdentifier } from './hint/term-words.ts';
import { diceCoefficientOfBags } from '#core/similarity/text-likeness.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';

/** What makes tools look alike to who chooses among them. */
export type DescribedTool = Pick<Tool, 'name' | 'category' | 'title' | 'description' | 'inputSchema'>;

/** The near siblings of each tool that has some, the most alike first. */
export type NearSiblings = ReadonlyMap<string, readonly string[]>;

/** From which likeness on two tools are near siblings. Chosen by hand on the 144 tools of the bundled servers. */
const leastLikeness = 0.4;
/** The writer of a request has to tell its tool from each of them. */
const mostSiblings = 3;
/** A word in the names of more tools says nothing about any two of them, and would make comparing large catalogs slow. */
const mostToolsOfWord = 100;

interface ComparedTool {
  readonly name: string;
  readonly removes: boolean;
  readonly nameWords: readonly string[];
  readonly descriptionWords: readonly string[];
  readonly argumentWords: readonly string[];
}

/**
 * Returns which tools of a catalog are easily taken for each other: their names share a word, and names, descriptions and
 * arguments are alike on average; a tool that removes something is none of one that does not. A tool has at most three near
 * siblings, so `B` may be one of `A` without `A` being one of `B`, where others are more like `B`.
 */
export function findNearSiblings(tools: readonly DescribedTool[]): NearSiblings {
  const compared = tools.map(readComparedTool);
  const byWord = Map.groupBy(
    compared.flatMap((tool) => [...new Set(tool.nameWords)].map((word) => ({ word, tool }))),
    ({ word }) => word,
  );
  const found = new Map<string, readonly string[]>();
  for (const tool of compared) {
    const near = new Map<string, number>();
    for (const word of new Set(tool.nameWords)) {
      const sharing = byWord.get(word) ?? [];
      if (sharing.length > mostToolsOfWord) continue;
      for (const { tool: other } of sharing)
        if (other !== tool && other.removes === tool.removes && !near.has(other.name))
          near.set(other.name, likenessOfTools(tool, other));
    }
    const siblings = [...near]
      .filter(([, likeness]) => likeness >= leastLikeness)
      .toSorted(([one, x], [other, y]) => y - x || (one < other ? -1 : 1))
      .slice(0, mostSiblings);
    if (siblings.length > 0)
      found.set(
        tool.name,
        siblings.map(([name]) => name),
      );
  }
  return found;
}

const readComparedTool = ({
  name,
  category,
  title = '',
  description = title,
  inputSchema,
}: DescribedTool): ComparedTool => ({
  name,
  removes: category === 'delete',
  nameWords: normalizedWordsOfIdentifier(toolNameWithoutServer(name)),
  descriptionWords: [...new Set(listContentWordsOfText(description))],
  argumentWords: [...new Set(listSchemaLeaves(inputSchema).flatMap((leaf) => normalizedWordsOfIdentifier(leaf.name)))],
});

/** Returns how alike two tools are, 0..1: the mean over names, descriptions and arguments, without what both lack. */
function likenessOfTools(one: ComparedTool, other: ComparedTool): number {
  const parts = (['nameWords', 'descriptionWords', 'argumentWords'] as const).filter(
    (part) => one[part].length + other[part].length > 0,
  );
  return parts.reduce((sum, part) => sum + diceCoefficientOfBags(one[part], other[part]), 0) / parts.length;
}
