import type { Command, Given } from '../../client/command-line/command.ts';
import { programOrVerbHelpText } from '../../client/command-line/help.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';

/** A measurement on the command line: `npm run VERB -- OPTIONS`, or a study: `npm run study -- VERB OPTIONS`. */
export type BenchCommand = Pick<Command, 'verb' | 'about' | 'options'> & {
  readonly more: string;
  readonly isStudy?: boolean;
};

/**
 * Reads the words after a measurement's name: its options, or a request for help. Throws a UsageError for invalid ones.
 */
export function parseBenchOptionsOrHelp(
  argv: readonly string[],
  bench: BenchCommand,
): Given | { readonly help: string } {
  const command: Command = { ...bench, operands: [], run: () => Promise.resolve() };
  const program = { commands: [command], common: [] };
  const request = parseLineToVerbOrHelp([command.verb, ...argv], program);
  return request.kind === 'help'
    ? { help: programOrVerbHelpText(bench.isStudy === true ? 'npm run study --' : 'npm run', '', program, [command]) }
    : request.given;
}
