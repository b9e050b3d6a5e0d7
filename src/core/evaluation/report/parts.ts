import type { ListedScorer } from '#core/benchmarks/protocols/protocols.ts';
import { getScorerOrThrow, scoreParts } from '../scorers.ts';
import { partMeanText } from '../figure-texts.ts';
import type { AgentResult } from '../record.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

/** What the scores are made of, one line for each part. */
export const scorePartsSection = (agents: readonly AgentResult[], shown: readonly ListedScorer[]): string[] =>
  sectionLines(
    'Parts of the scores',
    'Means over units whose score is known, and the number n of units that they are of.',
    '',
    ...markdownTableLines<(typeof scoreParts)[number]>(
      [
        { title: 'scorer', of: ({ scorer }) => getScorerOrThrow(scorer).title },
        { title: 'part', of: ({ title }) => title },
        { title: 'meaning', of: ({ name }) => name },
        ...agents.map(({ name, parts }) => ({
          title: escapeMarkdown(name),
          of: ({ scorer, key }: (typeof scoreParts)[number]) => partMeanText(parts[scorer][key]),
        })),
      ],
      scoreParts.filter(({ scorer }) => shown.some(({ key }) => key === scorer)),
    ),
  );
