import { mountingName } from '#core/units/mounting/mounting.ts';
import { describeMounting, oracleCaveat, meanAndRangeText } from '#core/units/mounting/mounting-texts.ts';
import { overlayNameAndHashText } from '../overlay/overlay.ts';
import type { AgentMounted } from '../record.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

/** Which tools each agent saw. */
export const mountingSection = (mounted: readonly AgentMounted[]): string[] =>
  sectionLines(
    'Mounted tools',
    'What an agent could choose from, over the units: its figures depend on it. Schema tokens are what the definitions of the tools take, by an estimate.',
    '',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ agent }) => escapeMarkdown(agent) },
        { title: 'mounting', of: ({ mounting }) => mountingName(mounting) },
        { title: 'meaning', of: ({ mounting }) => describeMounting(mounting) },
        { title: 'tools', of: ({ tools }) => meanAndRangeText(tools) },
        { title: 'schema tokens', of: ({ schemaTokens }) => meanAndRangeText(schemaTokens) },
        ...(mounted.some(({ overlay }) => overlay !== undefined)
          ? [{ title: 'wording', of: ({ overlay }: AgentMounted) => escapeMarkdown(overlayNameAndHashText(overlay)) }]
          : []),
        { title: 'units with less than their own servers', of: ({ cutUnits }) => cutUnits },
      ],
      mounted,
    ),
    ...(mounted.some(({ mounting }) => mounting.kind === 'oracle') ? ['', oracleCaveat] : []),
  );
