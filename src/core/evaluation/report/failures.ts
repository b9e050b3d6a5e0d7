import { failurePatterns, type FailurePattern } from '#core/scoring/failure-patterns.ts';
import { categoryOfFailure, failureClass, layerOfFailure } from '#core/traces/failure.ts';
import type { AgentResult } from '../record.ts';
import { escapeMarkdown, markdownTableLines, sectionLines, type MarkdownColumn } from './markdown.ts';

/** A column of counts for each agent. */
const makeCountColumnForEachAgent = <Row>(
  agents: readonly AgentResult[],
  count: (agent: AgentResult, row: Row) => number,
): MarkdownColumn<Row>[] =>
  agents.map((agent) => ({ title: escapeMarkdown(agent.name), of: (row: Row) => count(agent, row) }));

/** A count for each agent, with its label. */
interface Row {
  readonly name: string;
  readonly category: string;
  readonly layer: string;
  readonly of: (agent: AgentResult) => number;
}

/** Failed calls by class, without classes that did not occur. */
export function failedCallSection(agents: readonly AgentResult[]): string[] {
  const seen = failureClass.options.filter((each) => agents.some(({ failures }) => failures.byClass[each] > 0));
  const classes = seen.map((each): Row => ({
    name: each,
    category: categoryOfFailure[each],
    layer: layerOfFailure[categoryOfFailure[each]],
    of: ({ failures }) => failures.byClass[each],
  }));
  const sumRow = (name: string, of: Row['of']): Row => ({ name, category: '', layer: '', of });
  return sectionLines(
    'Failed calls',
    'Calls of evaluated attempts that failed. Some errors were marked as successes by their servers: the text says that the call failed. To some calls a server gave no usable answer: those are spoilt by the environment, and count in TFD too.',
    '',
    ...markdownTableLines(
      [
        { title: 'class', of: ({ name }) => name },
        { title: 'category', of: ({ category }) => category },
        { title: 'layer', of: ({ layer }) => layer },
        ...makeCountColumnForEachAgent<Row>(agents, (agent, { of }) => of(agent)),
      ],
      [
        ...classes,
        sumRow('undecided', ({ failures }) => failures.undecided),
        sumRow('marked as successes', ({ failures }) => failures.reportedErrors),
        sumRow('all failed calls', ({ failures }) => failures.failedCalls),
        sumRow('spoilt by the environment', ({ failures }) => failures.spoiltCalls),
        sumRow('all calls', ({ failures }) => failures.calls),
      ],
    ),
  );
}

const meanings: Readonly<Record<FailurePattern, string>> = {
  'incomplete-planning': 'One wording of a request makes the agent skip tools that the other wording leads it to.',
  'poor-noise-robustness':
    'Both wordings lead to the same expected tools, and one of them to tools besides that are not called for.',
  'unstable-tool-selection': 'One wording makes the agent take another tool of the same kind for the expected one.',
};

/** How agents fail when only the wording changes. */
export const rewordingFailureSection = (agents: readonly AgentResult[]): string[] =>
  sectionLines(
    'Failure patterns',
    'Cases (a unit in a trial) in which the two wordings of a request led to different tools.',
    '',
    ...markdownTableLines(
      [
        { title: 'pattern', of: (pattern: FailurePattern) => pattern },
        { title: 'meaning', of: (pattern: FailurePattern) => meanings[pattern] },
        ...makeCountColumnForEachAgent<FailurePattern>(agents, ({ patterns }, pattern) => patterns[pattern]),
      ],
      failurePatterns,
    ),
  );
