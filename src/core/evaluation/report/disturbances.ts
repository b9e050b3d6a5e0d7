import { disturbanceMeanings, disturbanceNotes, listDisturbanceColumns } from '../disturbance-texts.ts';
import type { AgentResult } from '../record.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

/** What disturbances change, a table an agent; empty where nothing was disturbed. */
export function disturbanceSection(agents: readonly AgentResult[]): string[] {
  const rows = agents.flatMap(({ disturbances = [] }) => disturbances);
  if (rows.length === 0) return [];
  const columns = listDisturbanceColumns(rows);
  return sectionLines(
    'Under disturbances',
    ...disturbanceNotes,
    '',
    ...agents.flatMap(({ name, disturbances = [] }) =>
      disturbances.length === 0
        ? []
        : [`### ${escapeMarkdown(name)}`, '', ...markdownTableLines([...columns], disturbances), ''],
    ),
    ...disturbanceMeanings(rows).map((meaning) => `- ${meaning}`),
  );
}
