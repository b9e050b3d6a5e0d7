import type { TaskUnit } from '#core/units/task-unit.ts';
import { toolNameWithoutServer } from '#core/catalog/tool.ts';

/**
 * Writes tasks as LiveMCPBench's authors publish them: a JSON list with indented records. A tool is written without its server,
 * as people annotated it, unless two servers have one of that name in these tasks.
 */
export function publishedTasksText(units: readonly TaskUnit[]): string {
  const servers = Map.groupBy(new Set(units.flatMap(({ chain }) => chain)), toolNameWithoutServer);
  const toolName = (tool: string): string => {
    const bare = toolNameWithoutServer(tool);
    return (servers.get(bare) ?? []).length > 1 ? tool : bare;
  };
  const records = units.map(({ request, truth, keyPoints, chain, provenance: { task, category } }) => ({
    task_id: task,
    Question: request,
    answers: truth ?? '',
    category,
    file_name: '',
    'Annotator Metadata': {
      Steps: numberedLinesText(keyPoints),
      'Number of steps': String(keyPoints.length),
      Tools: numberedLinesText(chain.map(toolName)),
      'Number of tools': String(chain.length),
    },
  }));
  return `${JSON.stringify(records, null, 2)}\n`;
}

/** Writes items as `1. search\n2. fetch`, each in one line. */
const numberedLinesText = (items: readonly string[]): string =>
  items.map((item, at) => `${at + 1}. ${item.replaceAll(/\s*\n\s*/g, ' ').trim()}`).join('\n');
