import { fixedDigitsText } from '../figure-texts.ts';
import type { AgentResult } from '../record.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

/** Answers without calls, and answers that state values that no tool returned. */
export const answerCountSection = (agents: readonly AgentResult[]): string[] =>
  sectionLines(
    'Answers',
    'A value is a quotation, a number of six digits or more, or an id; it is returned if the request, a call or its result has it. A sum that an agent calculates is not returned either. Answers after a result that was cut are not checked.',
    '',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ name }) => escapeMarkdown(name) },
        { title: 'answers', of: ({ answers }) => answers.given },
        { title: 'without calls', of: ({ answers }) => answers.withoutCalls },
        { title: 'checked', of: ({ answers }) => answers.checked },
        {
          title: 'with values that no tool returned',
          of: ({ answers: { unreturned, unreturnedShare } }) =>
            unreturnedShare === null ? 'none checked' : `${unreturned} (${fixedDigitsText(100 * unreturnedShare, 1)}%)`,
        },
      ],
      agents,
    ),
  );
