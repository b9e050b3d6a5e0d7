import type { Command } from './command.ts';
import type { Option } from './options.ts';
import { listUnreplacedCommonOptions, usageText, type Program } from './parse-line.ts';

/** Returns the help on a program, on a group of verbs, or on one verb with its options. */
export function programOrVerbHelpText(
  name: string,
  about: string,
  program: Program,
  commands: readonly Command[],
): string {
  const [only] = commands;
  if (only !== undefined && commands.length === 1)
    return verbHelpText(name, only, listUnreplacedCommonOptions(only, program.common));
  const rows = commands.map((command): [string, string] => [usageText(command), command.about]);
  return [
    about,
    '',
    `Usage: ${name} <verb> ...`,
    '',
    ...twoColumnLines(rows),
    '',
    'Options of every verb:',
    ...twoColumnLines(program.common.map(optionRow)),
    '',
    `"${name} <verb> --help" tells more about a verb.`,
  ].join('\n');
}

function verbHelpText(name: string, command: Command, common: readonly Option<unknown>[]): string {
  const sections = [
    `${command.about}\n\nUsage: ${name} ${usageText(command)}`,
    twoColumnLines(command.operands.map((operand): [string, string] => [`<${operand.name}>`, operand.about])).join(
      '\n',
    ),
    command.options.length === 0 ? '' : ['Options:', ...twoColumnLines(command.options.map(optionRow))].join('\n'),
    common.length === 0 ? '' : ['Options of every verb:', ...twoColumnLines(common.map(optionRow))].join('\n'),
    command.more ?? '',
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

const optionRow = ({ name, value, about, many, required }: Option<unknown>): [string, string] => {
  const note = required ? ' (needed)' : many ? ' (any number of times)' : '';
  return [`--${name}${value === null ? '' : ` ${value}`}`, `${about}${note}`];
};

const widestColumn = 44;

function twoColumnLines(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(widestColumn, Math.max(0, ...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
}
