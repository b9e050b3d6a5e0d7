import type { ToolExample } from './examples.ts';
import { cutEntriesToTotal } from './bound-entries.ts';
import type { ServerSurvey } from '#core/catalog/survey.ts';

/** What is known about the contents of servers when a unit is written or audited. */
export interface WriterMaterial {
  readonly surveys: readonly ServerSurvey[];
  readonly examples: readonly ToolExample[];
}

export const noMaterial: WriterMaterial = { surveys: [], examples: [] };

/** Most characters of all surveys in a prompt together. */
const maxPromptChars = 8_000;

/** Returns the material as prompts show it, bounded, with its cuts marked; without dates, so that prompts can be repeated. */
export const makePromptMaterial = ({ surveys, examples }: WriterMaterial) => ({
  survey: makePromptSurveys(surveys),
  values: examples.map(({ tool, arguments: given, returned, cutChars }) => ({
    tool,
    arguments: given,
    returned,
    ...cutMarkProperty(cutChars),
  })),
});

const makePromptSurveys = (surveys: readonly ServerSurvey[]) => {
  const all = surveys.flatMap(({ server, entries }) => entries.map((entry) => ({ server, ...entry })));
  return cutEntriesToTotal(all, maxPromptChars).map(({ server, from, text, cutChars }) => ({
    server,
    from,
    text,
    ...cutMarkProperty(cutChars),
  }));
};

const cutMarkProperty = (cutChars: number) => (cutChars === 0 ? {} : { cut: `${cutChars} more characters` });
