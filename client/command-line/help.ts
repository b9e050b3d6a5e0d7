import type { Command } from './command.ts';
import type { Option } from './options.ts';
import { commonFor, usageOf, type Program } from './parse.ts';

/** Returns the help on a program, on a group of verbs, or on one verb with its options. */
export function helpOf(name: string, about: string, program: Program, commands: readonly Command[]): string {
  const [only] = commands;
  if (only !== undefined && commands.length === 1) return verbHelp(name, only, commonFor(only, program.common));
  const rows = commands.map((command): [string, string] => [usageOf(command), command.about]);
  return [
    about,
    '',
    `Usage: ${name} <verb> ...`,
    '',
    ...columns(rows),
    '',
    'Options of every verb:',
    ...columns(program.common.map(optionRow)),
    '',
    `"${name} <verb> --help" tells more about a verb.`,
  ].join('\n');
}

function verbHelp(name: string, command: Command, common: readonly Option<unknown>[]): string {
  const sections = [
    `${command.about}\n\nUsage: ${name} ${usageOf(command)}`,
    columns(command.operands.map((operand): [string, string] => [`<${operand.name}>`, operand.about])).join('\n'),
    command.options.length === 0 ? '' : ['Options:', ...columns(command.options.map(optionRow))].join('\n'),
    common.length === 0 ? '' : ['Options of every verb:', ...columns(common.map(optionRow))].join('\n'),
    command.more ?? '',
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

const optionRow = ({ name, value, about, many, required }: Option<unknown>): [string, string] => {
  const note = required ? ' (needed)' : many ? ' (any number of times)' : '';
  return [`--${name}${value === null ? '' : ` ${value}`}`, `${about}${note}`];
};

const widestColumn = 44;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(widestColumn, Math.max(0, ...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
}
