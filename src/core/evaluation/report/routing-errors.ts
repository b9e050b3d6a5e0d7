import { routingError, routingErrorTexts } from '#core/traces/error-class.ts';
import type { AgentResult } from '../record.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

/** Why attempts of agents that search for their tools failed; nothing if no agent does. */
export function routingErrorSection(agents: readonly AgentResult[]): string[] {
  const searching = agents.flatMap(({ name, routingErrors }) =>
    routingErrors === null ? [] : [{ name, routingErrors }],
  );
  if (searching.length === 0) return [];
  return sectionLines(
    'Failed attempts of agents that search for tools',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ name }) => escapeMarkdown(name) },
        ...routingError.options.map((key) => ({
          title: key,
          of: ({ routingErrors }: (typeof searching)[number]) => routingErrors[key],
        })),
      ],
      searching,
    ),
    '',
    ...routingError.options.map((key) => `- ${key}: ${routingErrorTexts[key]}`),
    '',
    'The needed tools are those of the expected chain, which is one path of several.',
  );
}
