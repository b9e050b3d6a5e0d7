import { z } from 'zod';

/**
 * The tasks of LiveMCPBench as its authors publish them (`annotated_data/all_annotations.json`), and the same records
 * with an agent's run or a person's verdict on it beside.
 */
const annotation = z.object({
  Steps: z.string().max(20_000).default(''),
  Tools: z.string().max(20_000).default(''),
});

const publishedTask = z
  .object({
    task_id: z.string().min(1).max(100),
    Question: z.string().min(1).max(20_000),
    answers: z.string().max(20_000).default(''),
    category: z.string().max(100).default(''),
    file_name: z.string().max(500).default(''),
    'Annotator Metadata': annotation.prefault({}),
  })
  .transform(({ task_id: id, Question: request, answers, category, file_name: file, ...rest }) => ({
    id,
    request: request.trim(),
    /** What a person expects of the answer; empty if nothing fixed. */
    answer: answers.trim(),
    category,
    /** The file that the task is about, on the agent's disk; empty without one. */
    file: file.trim(),
    steps: splitNumberedLines(rest['Annotator Metadata'].Steps),
    tools: splitNumberedLines(rest['Annotator Metadata'].Tools),
  }));

/** Most tasks of a file. */
export const maxTasks = 10_000;

/** A file of tasks. */
export const publishedTasks = z.array(publishedTask).max(maxTasks);
export type PublishedTask = z.infer<typeof publishedTask>;

/** Splits `1. search\n2. fetch` into its items; lines without a number continue the item before. */
export function splitNumberedLines(text: string): string[] {
  const items: string[] = [];
  for (const line of text.split('\n')) {
    const numbered = /^\s*\d{1,3}[.)]\s*(.*)$/.exec(line);
    const words = (numbered?.[1] ?? line).trim();
    if (words === '') continue;
    const last = items.at(-1);
    if (numbered === null && last !== undefined) items[items.length - 1] = `${last} ${words}`;
    else items.push(words);
  }
  return items;
}
