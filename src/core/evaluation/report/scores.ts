import { headline, scorerOf, scorers, success } from '#core/scoring/scorers.ts';
import type { Summary } from '#core/statistics/summary.ts';
import { fixed, summaryText } from '../figures.ts';
import type { AgentResult } from '../record.ts';
import type { ScoreSummary } from '../results-record.ts';
import { escaped, markdownTable, section, type MarkdownColumn } from './markdown.ts';

/** Formats a summary with its number of units. */
const withN = (summary: Summary): string => `${summaryText(summary)}, n = ${summary.n}`;

const absoluteText = ({ meanAbsolute = null }: ScoreSummary): string =>
  meanAbsolute === null ? 'none' : fixed(meanAbsolute);

/** The agents in order with the means of all scorers. */
export const scoreSection = (agents: readonly AgentResult[]): string[] =>
  section(
    'Scores',
    `By mean ${scorerOf(headline).title}. Each figure is a mean over units with its 95% interval and the number n of units that it is of.`,
    '',
    ...markdownTable(
      [
        { title: '#', of: (agent) => agents.indexOf(agent) + 1 },
        { title: 'agent', of: ({ name }) => escaped(name) },
        ...scorers.flatMap(({ key, title, direction }): MarkdownColumn<AgentResult>[] => [
          { title, of: ({ scores }) => withN(scores[key]) },
          ...(direction === 'zero'
            ? [{ title: `mean of absolute ${title}`, of: ({ scores }: AgentResult) => absoluteText(scores[key]) }]
            : []),
        ]),
      ],
      agents,
    ),
  );

/** How often agents pass in several trials. */
export const passSection = (agents: readonly AgentResult[]): string[] =>
  section(
    'Passes',
    `What an attempt scores by **${scorerOf(success).title}**: ${scorerOf(success).formula}. A trial passes where all of its attempts score 1.`,
    '',
    ...markdownTable(
      [
        { title: 'agent', of: ({ name }) => name },
        { title: 'k', of: ({ k }) => k },
        { title: 'pass@k', of: ({ passAtK }) => withN(passAtK) },
        { title: 'pass^k', of: ({ passHatK }) => withN(passHatK) },
      ],
      agents.flatMap(({ name, passes }) => passes.atK.map((each) => ({ name: escaped(name), ...each }))),
    ),
  );
