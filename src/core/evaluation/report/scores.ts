import { fixed, summaryText } from '../figures.ts';
import type { AgentResult } from '../record.ts';
import { escaped, markdownTable, section } from './markdown.ts';

type Summary = AgentResult['tcs'];

/** A summary with the number of units that it is of. */
const withN = (summary: Summary): string => `${summaryText(summary)}, n = ${summary.n}`;

/** The agents in their order with the six metrics, and how often they pass. */
export const scoreSection = (agents: readonly AgentResult[]): string[] =>
  section(
    'Scores',
    'By mean TCS. Each figure is a mean over units with its 95% interval and the number n of units that it is of.',
    '',
    ...markdownTable(
      [
        { title: '#', of: (agent) => agents.indexOf(agent) + 1 },
        { title: 'agent', of: ({ name }) => escaped(name) },
        { title: 'TCS', of: ({ tcs }) => withN(tcs) },
        { title: 'MTC', of: ({ mtc }) => withN(mtc) },
        { title: 'TFD', of: ({ tfd }) => withN(tfd) },
        { title: 'AR', of: ({ ar }) => withN(ar) },
        { title: 'UIC', of: ({ uic }) => withN(uic) },
        { title: 'ECG', of: ({ ecg }) => withN(ecg) },
        {
          title: 'mean of absolute ECG',
          of: ({ ecg: { meanAbsolute } }) => (meanAbsolute === null ? 'none' : fixed(meanAbsolute)),
        },
      ],
      agents,
    ),
  );

/** How often agents pass, at once and in several trials. */
export const passSection = (agents: readonly AgentResult[]): string[] =>
  section(
    'Passes',
    'An attempt passes with every expected tool called with success, in order, and UIC of at least 0.7; a trial passes where both of its attempts do.',
    '',
    ...markdownTable(
      [
        { title: 'agent', of: ({ name }) => escaped(name) },
        { title: 'attempts that pass', of: ({ pass }) => withN(pass) },
      ],
      agents,
    ),
    '',
    ...markdownTable(
      [
        { title: 'agent', of: ({ name }) => name },
        { title: 'k', of: ({ k }) => k },
        { title: 'pass@k', of: ({ passAtK }) => withN(passAtK) },
        { title: 'pass^k', of: ({ passHatK }) => withN(passHatK) },
      ],
      agents.flatMap(({ name, passes }) => passes.atK.map((each) => ({ name: escaped(name), ...each }))),
    ),
  );
