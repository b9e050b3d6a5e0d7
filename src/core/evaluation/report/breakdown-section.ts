import type { ListedScorer } from '#core/benchmarks/protocols/protocols.ts';
import type { Breakdown, BreakdownGroup } from '../breakdown-record.ts';
import { fixedDigitsText, summaryText } from '../figure-texts.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

type Row = BreakdownGroup['agents'][number];

/** The agents on the units of each group, in this order of names. */
export const breakdownSection = (
  { title, heading, counting }: Breakdown,
  groups: readonly BreakdownGroup[],
  order: readonly string[],
  shown: readonly ListedScorer[],
): string[] =>
  sectionLines(
    heading,
    counting,
    '',
    ...markdownTableLines(
      [
        { title, of: ({ group }) => group },
        { title: 'agent', of: ({ agent }) => escapeMarkdown(agent) },
        { title: 'units', of: ({ units }) => units },
        ...shown.map(({ key, title }) => ({
          title,
          of: ({ scores }: Row) => summaryText(scores[key]),
        })),
        {
          title: 'turns',
          of: ({ perAttempt }) => (perAttempt.turns === null ? 'none' : fixedDigitsText(perAttempt.turns, 1)),
        },
        {
          title: 'failed calls',
          of: ({ calls, failedCalls }) =>
            calls === 0
              ? 'no calls'
              : `${failedCalls} of ${calls} (${fixedDigitsText((100 * failedCalls) / calls, 1)}%)`,
        },
        { title: 'spoilt by the environment', of: ({ spoiltCalls }) => spoiltCalls },
      ],
      groups.flatMap(({ name, agents }) =>
        agents
          .toSorted((a, b) => order.indexOf(a.agent) - order.indexOf(b.agent))
          .map((agent) => ({ group: escapeMarkdown(name), ...agent })),
      ),
    ),
  );
