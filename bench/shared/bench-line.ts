import type { Command, Given } from '../../client/command-line/command.ts';
import { programOrVerbHelpText } from '../../client/command-line/help.ts';
import { parseLineToVerbOrHelp } from '../../client/command-line/parse-line.ts';

/** A measurement on the command line: `npm run bench:NAME -- OPTIONS`; or a study: `npm run study -- NAME OPTIONS`. */
export type BenchCommand = Pick<Command, 'verb' | 'about' | 'options'> & { readonly more: string };

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
  const runner = command.verb.startsWith('bench:') ? 'npm run' : 'npm run study --';
  return request.kind === 'help' ? { help: programOrVerbHelpText(runner, '', program, [command]) } : request.given;
}
