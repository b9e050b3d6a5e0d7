import type { Command } from './command.ts';
import type { Option } from './options.ts';
import { listUnreplacedCommonOptions, usageText, type Program } from './parse-line.ts';

/** Longer lines are tiring, however wide the terminal is. */
const widestHelp = 140;

/** Returns the help on a program, on a group of verbs, or on one verb with its options. */
export function programOrVerbHelpText(
  name: string,
  about: string,
  program: Program,
  commands: readonly Command[],
  lineWidth = widestHelp,
): string {
  const width = Math.min(lineWidth, widestHelp);
  const [only] = commands;
  if (only !== undefined && commands.length === 1)
    return verbHelpText(name, only, listUnreplacedCommonOptions(only, program.common), width);
  const rows = commands.map((command): [string, string] => [usageText(command), command.about]);
  return [
    about,
    '',
    `Usage: ${name} <verb> ...`,
    '',
    ...twoColumnLines(rows, width),
    '',
    'Options of every verb:',
    ...twoColumnLines(program.common.map(optionRow), width),
    '',
    `"${name} <verb> --help" tells more about a verb.`,
  ].join('\n');
}

function verbHelpText(name: string, command: Command, common: readonly Option<unknown>[], width: number): string {
  const sections = [
    `${command.about}\n\nUsage: ${name} ${usageText(command)}`,
    twoColumnLines(
      command.operands.map((operand): [string, string] => [`<${operand.name}>`, operand.about]),
      width,
    ).join('\n'),
    command.options.length === 0
      ? ''
      : ['Options:', ...twoColumnLines(command.options.map(optionRow), width)].join('\n'),
    common.length === 0 ? '' : ['Options of every verb:', ...twoColumnLines(common.map(optionRow), width)].join('\n'),
    command.more ?? '',
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

const optionRow = ({ name, value, about, many, required }: Option<unknown>): [string, string] => {
  const note = required ? ' (needed)' : many ? ' (any number of times)' : '';
  return [`--${name}${value === null ? '' : ` ${value}`}`, `${about}${note}`];
};

const widestColumn = 44;
/** A column of text that is narrower than this cannot be read: it goes below what it is about. */
const narrowestText = 30;

function twoColumnLines(rows: readonly (readonly [string, string])[], lineWidth: number): string[] {
  const width = Math.min(widestColumn, Math.max(0, ...rows.map(([left]) => left.length)));
  const room = lineWidth - width - 4;
  if (room < narrowestText)
    return rows.flatMap(([left, right]) => [
      `  ${left}`,
      ...wrappedLines(right, lineWidth - 6).map((line) => `      ${line}`),
    ]);
  return rows.flatMap(([left, right]) => {
    const [first = '', ...further] = wrappedLines(right, room);
    const begin =
      left.length > width ? [`  ${left}`, `  ${' '.repeat(width)}  ${first}`] : [`  ${left.padEnd(width)}  ${first}`];
    return [...begin, ...further.map((line) => `  ${' '.repeat(width)}  ${line}`)];
  });
}

/** Breaks a text between words; a longer word has a line of its own. */
export function wrappedLines(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
