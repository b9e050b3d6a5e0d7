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
  if (only !== undefined && commands.length === 1) return verbHelpText(name, only, program, width);
  return [
    about,
    '',
    `Usage: ${name} <verb> ...`,
    ...groupsWithVerbs(program, commands).flatMap(({ title, own }) => [
      '',
      ...(title === null ? [] : [`${title}:`]),
      ...twoColumnLines(
        own.map(({ verb, about: text }) => [verb, text]),
        width,
      ),
    ]),
    '',
    'Options of every verb:',
    ...twoColumnLines(program.common.map(optionRow), width),
    '',
    ...wrappedLines(
      `"${name} help <verb>" shows what a verb takes, with an example and the page that explains it.`,
      width,
    ),
  ].join('\n');
}

interface VerbsOfGroup {
  readonly title: string | null;
  readonly own: readonly Command[];
}

/** Sorts verbs into the groups of their program; those of no group come last. */
function groupsWithVerbs({ groups = [] }: Program, commands: readonly Command[]): VerbsOfGroup[] {
  const grouped = groups.map(({ title, verbs }): VerbsOfGroup => ({
    title,
    own: Object.keys(verbs).flatMap((each) => commands.filter(({ verb }) => verb === each)),
  }));
  const other = commands.filter((command) => !grouped.some(({ own }) => own.includes(command)));
  return [...grouped, { title: null, own: other }].filter(({ own }) => own.length > 0);
}

function verbHelpText(name: string, command: Command, program: Program, width: number): string {
  const common = listUnreplacedCommonOptions(command, program.common);
  const sections = [
    [...wrappedLines(command.about, width), '', ...wrappedLines(`Usage: ${name} ${usageText(command)}`, width)].join(
      '\n',
    ),
    twoColumnLines(
      command.operands.map((operand): [string, string] => [`<${operand.name}>`, operand.about]),
      width,
    ).join('\n'),
    command.options.length === 0
      ? ''
      : ['Options:', ...twoColumnLines(command.options.map(optionRow), width)].join('\n'),
    common.length === 0 ? '' : ['Options of every verb:', ...twoColumnLines(common.map(optionRow), width)].join('\n'),
    (command.more ?? '')
      .split('\n')
      .flatMap((line) => wrapWithHangingIndent(line, width))
      .join('\n'),
    guidanceLines(name, command.verb, program).join('\n'),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

/** Shows how a verb is used, unbroken so that it can be copied, and where more is said. */
function guidanceLines(name: string, verb: string, { groups = [] }: Program): string[] {
  const found = groups.flatMap(({ verbs }) => verbs[verb] ?? []);
  const [example, page] = found;
  return example === undefined || page === undefined ? [] : [`Example:  ${name} ${example}`, `More:     docs/${page}`];
}

/** Breaks a line; what follows is indented further than an indented line. */
function wrapWithHangingIndent(line: string, width: number): string[] {
  const text = line.trimStart();
  const indent = line.length - text.length;
  if (indent === 0) return wrappedLines(text, width);
  return wrappedLines(text, width - indent - 2).map((part, at) => ' '.repeat(at === 0 ? indent : indent + 2) + part);
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
