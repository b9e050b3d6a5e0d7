import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { getScorerOrThrow } from '../scorers.ts';
import { listShortfallsOfAttempt, type ExplainedCase } from '../explained-case.ts';
import { fixedDigitsText, protocolWithoutVerdictText } from '../figure-texts.ts';
import { escapeMarkdown, sectionLines } from './markdown.ts';

/** Failed cases of each agent that a report shows. */
export const failedCasesPerAgent = 3;

/** Why the first failed cases of each agent failed; `names` are the agents in order. */
export function failedCaseSection(
  cases: readonly ExplainedCase[],
  names: readonly string[],
  protocol: ProtocolKey,
): string[] {
  const { verdict } = getProtocol(protocol);
  if (verdict === null) return sectionLines('Failed cases', protocolWithoutVerdictText(protocol));
  return sectionLines(
    'Failed cases',
    `The first cases of public units, by id and at most ${failedCasesPerAgent} for each agent, whose ${getScorerOrThrow(verdict).title} is 0: what their attempts fall short in, with the reasons. \`sextant cases\` lists all cases, and \`sextant case\` shows one.`,
    '',
    ...names.flatMap((name) => {
      const own = cases.filter(({ agent }) => agent === name);
      return [`### ${escapeMarkdown(name)}`, '', ...(own.length === 0 ? ['None.', ''] : own.flatMap(failedCaseLines))];
    }),
  );
}

const failedCaseLines = ({ case: id, attempts, goals }: ExplainedCase): string[] => [
  `**${escapeMarkdown(id)}**`,
  '',
  ...attempts.flatMap((attempt) => {
    const shortfalls = listShortfallsOfAttempt(attempt, goals);
    return [
      `- ${escapeMarkdown(attempt.request)}: ${escapeMarkdown(attempt.end)}${shortfalls.length === 0 ? ', nothing missing' : ''}`,
      ...shortfalls.map(
        ({ of, value, why }) =>
          `  - ${escapeMarkdown(of)} ${fixedDigitsText(value)}${why === '' ? '' : `: ${escapeMarkdown(why)}`}`,
      ),
    ];
  }),
  '',
];
