import { getProtocol, type ListedScorer, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { getScorerOrThrow } from '../scorers.ts';
import type { Summary } from '#core/statistics/summary.ts';
import { fixedDigitsText, protocolWithoutVerdictText, summaryText } from '../figure-texts.ts';
import type { AgentResult, EvaluationResults } from '../record.ts';
import { agentNameInGroup } from '../rule-agents.ts';
import type { ScoreSummary } from '../results-record.ts';
import { escapeMarkdown, markdownTableLines, sectionLines, type MarkdownColumn } from './markdown.ts';

/** Formats a summary with its number of units. */
const summaryWithUnitsText = (summary: Summary): string => `${summaryText(summary)}, n = ${summary.n}`;

const meanAbsoluteText = ({ meanAbsolute = null }: ScoreSummary): string =>
  meanAbsolute === null ? 'none' : fixedDigitsText(meanAbsolute);

/** The agents in order with the means of the scorers that are shown. */
export const scoreSection = (
  agents: readonly AgentResult[],
  { protocol, ruleAgents }: Pick<EvaluationResults, 'protocol' | 'ruleAgents'>,
  shown: readonly ListedScorer[],
): string[] =>
  sectionLines(
    'Scores',
    `By mean ${getScorerOrThrow(getProtocol(protocol).headline).title}. Each figure is a mean over units with its 95% interval and the number n of units that it is of.`,
    '',
    ...markdownTableLines(
      [
        { title: '#', of: (agent) => agents.indexOf(agent) + 1 },
        { title: 'agent', of: ({ name }) => escapeMarkdown(agentNameInGroup(name, { ruleAgents })) },
        ...shown.flatMap(({ key, title, direction }): MarkdownColumn<AgentResult>[] => [
          { title, of: ({ scores }) => summaryWithUnitsText(scores[key]) },
          ...(direction === 'zero'
            ? [{ title: `mean of absolute ${title}`, of: ({ scores }: AgentResult) => meanAbsoluteText(scores[key]) }]
            : []),
        ]),
      ],
      agents,
    ),
  );

/** How often agents pass in several trials. */
export function passAtKSection(agents: readonly AgentResult[], protocol: ProtocolKey): string[] {
  const { verdict } = getProtocol(protocol);
  if (verdict === null) return sectionLines('Passes', protocolWithoutVerdictText(protocol));
  const { title, formula } = getScorerOrThrow(verdict);
  return sectionLines(
    'Passes',
    `What an attempt scores by **${title}**: ${formula}. A trial passes where all of its attempts do.`,
    '',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ name }) => name },
        { title: 'k', of: ({ k }) => k },
        { title: 'pass@k', of: ({ passAtK }) => summaryWithUnitsText(passAtK) },
        { title: 'pass^k', of: ({ passHatK }) => summaryWithUnitsText(passHatK) },
      ],
      agents.flatMap(({ name, passes }) =>
        (passes?.atK ?? []).map((each) => ({ name: escapeMarkdown(name), ...each })),
      ),
    ),
  );
}
