import { z } from 'zod';
import { commandName } from '../../engine/installation.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';
import { answerText } from '#core/reports/check/probes/answer.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import type { ShownCall } from '#core/reports/check/finding.ts';
import { readCheckTarget } from '../check/check-target.ts';
import { openCheckSession } from '../check/session.ts';
import type { Command } from '../command-line/command.ts';
import { optionalOption, makeSchemaNumberParser } from '../command-line/options.ts';
import { quoteForShell } from '../command-line/shell-quote.ts';
import { makePrintableLine } from '../command-line/text.ts';
import type { ServerEntry } from '../serve/server-file.ts';

const target = { name: 'server', about: 'the address of an MCP server, or a file with `mcpServers`' };
const tool = { name: 'tool', about: 'the name of the tool, `server/tool` if the file has several servers' };
const given = { name: 'arguments', about: 'a JSON object; {} without it', optional: true } as const;

const defaultSeconds = 60;
const seconds = optionalOption(
  'timeout',
  'SECONDS',
  `how long to wait for the answer (${defaultSeconds} without it)`,
  makeSchemaNumberParser(z.number().min(0.1).max(600)),
);

const call: Command = {
  verb: 'call',
  about: 'Call a tool of an MCP server and show what it answers',
  more: 'Any tool is called, whatever it does: "check" prints such a line for each call that shows a finding.',
  operands: [target, tool, given],
  options: [seconds],
  open: true,
  async run(line, { output, signal }) {
    const what = line.firstOperandWordOrThrow(target);
    const { entry, name } = findServerAndTool(what, line.firstOperandWordOrThrow(tool));
    const args = readArguments(line.operandWords(given)[0] ?? '{}');
    const session = await openCheckSession(entry, {
      onNoise: (noise) => output.writeNote(`no message of the protocol: ${makePrintableLine(noise)}`),
      signal,
    }).catch((cause: unknown) => {
      throw new CommandError(`${entry.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
    try {
      const answer = await session.call(name, args, (line.parseOptionValue(seconds) ?? defaultSeconds) * 1000);
      output.writeAsJsonOrLines(answer, () => answerText(answer).split('\n').map(makePrintableLine));
      if (answer.kind !== 'result') throw new CommandError(`${name}: ${outcomes[answer.kind]}`);
      if (answer.isError) throw new CommandError(`${name}: the result is marked as an error`);
    } finally {
      await session.close();
    }
  },
};

const outcomes = {
  error: 'the server answered with an error of the protocol',
  silence: 'the server did not answer',
  gone: 'the server ended',
} as const;

function findServerAndTool(what: string, word: string): { entry: ServerEntry; name: string } {
  const read = readCheckTarget(what);
  if (read.kind === 'list')
    throw new UsageError(`${what} only lists tools: give the address or the file of the server`);
  const [only, second] = read.entries;
  if (only !== undefined && second === undefined)
    return { entry: only, name: word.startsWith(`${only.name}/`) ? word.slice(only.name.length + 1) : word };
  const entry = read.entries.find(({ name }) => word.startsWith(`${name}/`));
  if (entry === undefined)
    throw new UsageError(
      `"${word}" names no server of ${what}: give SERVER/TOOL, with one of ${read.entries.map(({ name }) => name).join(', ')}`,
    );
  return { entry, name: word.slice(entry.name.length + 1) };
}

function readArguments(text: string): Readonly<Record<string, unknown>> {
  const json = parseJsonWithinLimits(text);
  if (!json.ok) throw new UsageError(`the arguments: ${json.problem}`);
  const parsed = z.record(z.string(), z.unknown()).safeParse(json.value);
  if (!parsed.success) throw new UsageError('the arguments: give a JSON object, such as {"id": 1}');
  return parsed.data;
}

/** Returns the line that repeats a call of a server that `what` names. */
export const repeatCall = (what: string, { tool: name, arguments: args }: ShownCall, server: string): string =>
  [commandName, 'call', ...[what, `${server}/${name}`, JSON.stringify(args)].map(quoteForShell)].join(' ');

/** The verb that calls one tool. */
export const callCommands: readonly Command[] = [call];
