import { defaultProtocol, getProtocol, scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';

/** Explains the scores of the default protocol, one a line, for the help of verbs that show them. */
export const scorerHelpLines: readonly string[] = [
  `Scores under the protocol ${getProtocol(defaultProtocol).title}:`,
  ...scorersOfProtocol(defaultProtocol).map(
    ({ title, name, question, direction }) =>
      `  ${title}${name === title ? '' : `, ${name}`}: ${question}${direction === 'higher' ? '' : direction === 'lower' ? ' Less is better.' : ' Best near 0.'}`,
  ),
];
