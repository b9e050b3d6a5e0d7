import { partMeanText } from '#core/evaluation/figure-texts.ts';
import type { AgentResult } from '#core/evaluation/record.ts';
import type { ListedScorer } from '#core/benchmarks/protocols/protocols.ts';
import { tableLines } from '../command-line/table-lines.ts';

/** Formats what the agents' scores are made of: a table for each scorer, then the meaning of its parts. */
export const scorePartTableLines = (
  agents: readonly AgentResult[],
  shown: readonly ListedScorer[],
  width: number,
): string[] => [
  ...shown.flatMap(({ key, title, parts }) =>
    parts.length === 0
      ? []
      : [
          ...tableLines(
            [
              { title, cell: ({ name }) => name },
              ...parts.map((part) => ({
                title: part.title,
                cell: (agent: AgentResult) => partMeanText(agent.parts[key][part.key]),
              })),
            ],
            agents,
            width,
          ),
          ...parts.map((part) => `  ${part.title}: ${part.name}`),
          '',
        ],
  ),
  'Means over the n units whose score is known.',
];
