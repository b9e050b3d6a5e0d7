import { scorers } from '#core/scoring/scorers.ts';
import type { BreakdownGroup } from '../breakdown-record.ts';
import { fixedText, summaryText } from '../figure-texts.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

type Row = BreakdownGroup['agents'][number];

/** The agents on the units of each domain, in this order of names. */
export const domainSection = (domains: readonly BreakdownGroup[], order: readonly string[]): string[] =>
  sectionLines(
    'Domains',
    'A unit counts in each domain that its chain has a tool of. Calls are those of tools of the domain, whatever the unit.',
    '',
    ...markdownTableLines(
      [
        { title: 'domain', of: ({ domain }) => domain },
        { title: 'agent', of: ({ agent }) => escapeMarkdown(agent) },
        { title: 'units', of: ({ units }) => units },
        ...scorers.map(({ key, title }) => ({ title, of: ({ scores }: Row) => summaryText(scores[key]) })),
        {
          title: 'failed calls',
          of: ({ calls, failedCalls }) =>
            calls === 0 ? 'no calls' : `${failedCalls} of ${calls} (${fixedText((100 * failedCalls) / calls, 1)}%)`,
        },
      ],
      domains.flatMap(({ name, agents }) =>
        agents
          .toSorted((a, b) => order.indexOf(a.agent) - order.indexOf(b.agent))
          .map((agent) => ({ domain: escapeMarkdown(name), ...agent })),
      ),
    ),
  );
